import { createReadStream, type ReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { FeedError, printable } from './feed.js';

/** A file to read: its path on disk, and the name shown to people. */
export interface FeedFile {
  readonly path: string;
  readonly name: string;
}

/** Real feeds unpack to about ten times their size. A larger factor is an attempt to exhaust memory or disk. */
const maxGrowth = 100;
/** Unpacked bytes that are always allowed: a small file may repeat one line many times. */
const allowedBytes = 16 * 1024 * 1024;

/** Rejects a compressed file that unpacks to more than any real feed (a zip bomb). */
export function rejectBomb({ name }: FeedFile, compressedBytes: number, bytes: number): void {
  if (bytes > compressedBytes * maxGrowth + allowedBytes) {
    throw new FeedError(`${printable(name)}: unpacks to more than ${maxGrowth} times its size, which no feed does`);
  }
}

/** The size of a file in bytes. Throws `FeedError` that says why it cannot be read. */
export async function sizeOf({ path, name }: FeedFile): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw new FeedError(`${printable(name)}: ${whyUnreadable(error)}`);
  });
  if (!found.isFile()) throw new FeedError(`${printable(name)}: is not a file`);
  return found.size;
}

function whyUnreadable(error: unknown): string {
  const code = codeOfError(error);
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EACCES' ? 'may not be read: permission denied' : `cannot be read (${String(code)})`;
}

/** A file's bytes as a stream, unpacked where `gzip`, and the fraction of the file that has been read, 0 to 1. */
export async function readBytes(
  file: FeedFile,
  packing: 'plain' | 'gzip',
): Promise<{ readonly bytes: AsyncIterable<Uint8Array>; readonly fraction: () => number }> {
  const size = await sizeOf(file);
  if (packing === 'gzip') await requireMagic(file, [0x1f, 0x8b], 'a gzip file');
  const raw = createReadStream(file.path, { highWaterMark: 256 * 1024 });
  const bytes = packing === 'plain' ? raw : gunzip(file, raw, size);
  return { bytes, fraction: () => (size === 0 ? 1 : raw.bytesRead / size) };
}

async function* gunzip(file: FeedFile, raw: ReadStream, size: number): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip();
  raw.on('error', (error) => unpacked.destroy(error));
  let count = 0;
  try {
    for await (const chunk of raw.pipe(unpacked)) {
      count += chunk.length;
      rejectBomb(file, size, count);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof FeedError) throw error;
    throw new FeedError(
      `${printable(file.name)}: is damaged or cut off (${error instanceof Error ? error.message : 'gzip'})`,
    );
  } finally {
    raw.destroy();
    unpacked.destroy();
  }
}

/** Rejects a file whose first bytes do not fit its name, such as a web page saved as .zip. */
export async function requireMagic({ path, name }: FeedFile, magic: readonly number[], what: string): Promise<void> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    if (bytesRead < magic.length || magic.some((byte, index) => buffer[index] !== byte)) {
      throw new FeedError(`${printable(name)}: is not ${what}`);
    }
  } finally {
    await handle.close();
  }
}

/** A whole small file as text. Throws for one above `maxBytes`; `instead` ends the message. */
export async function readText(file: FeedFile, maxBytes: number, instead: string): Promise<string> {
  const size = await sizeOf(file);
  if (size > maxBytes) {
    throw new FeedError(`${printable(file.name)}: is larger than ${maxBytes / (1024 * 1024)} MB${instead}`);
  }
  return (await readFile(file.path, 'utf8')).replace(/^\ufeff/, '');
}

/** Passes bytes on up to a limit. One more byte ends the stream with the error that `onExceeded` makes. */
export function limitBytes(maxBytes: number, onExceeded: () => Error): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(onExceeded());
      else done(null, chunk);
    },
  });
}
