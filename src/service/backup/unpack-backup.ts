import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import type * as z from 'zod';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { about, aboutName, BackupError, checksums, checksumsName, databaseName, isEntryName } from './backup-format.js';

/** Bytes of the entries that are read into memory; a million files have as many bytes of checksums. */
const maxTextBytes = 128 * 1024 * 1024;

/**
 * Unpacks a backup into an empty folder and compares each file with its checksum.
 *
 * @returns what the backup says of itself
 * @throws BackupError where the file is no backup, is cut off or damaged; errors of the system for files that cannot be read or written
 */
export async function unpackBackup(file: string, folder: string): Promise<z.output<typeof about>> {
  const source = createReadStream(file);
  try {
    return await unpack(source, folder);
  } catch (error) {
    const code = codeOfError(error);
    // Errors of files have a path; without one they are of gzip or tar.
    if (error instanceof BackupError || (error instanceof Error && 'path' in error)) throw error;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new BackupError(`${file} is no backup, or it is damaged (${reason})`, { cause: error });
  } finally {
    source.destroy();
  }
}

async function unpack(source: ReadStream, folder: string): Promise<z.output<typeof about>> {
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  const digests = new Map<string, string>();
  let said: z.output<typeof about> | undefined;
  let expected: z.output<typeof checksums> | undefined;
  try {
    for await (const { header, body } of ReadableStream.from(unzipped).pipeThrough(
      createTarDecoder({ strict: true }),
    )) {
      const { name } = header;
      if (said === undefined) {
        if (name !== aboutName) throw new Error('its first entry is another one');
        said = parsed(about, await textOf(body, digests, name));
      } else if (expected !== undefined) throw new Error('it goes on after its end');
      else if (name === checksumsName) expected = parsed(checksums, await textOf(body, new Map(), name));
      else if (!isEntryName(name)) throw new Error(`it holds ${JSON.stringify(name)}`);
      else if (header.type === 'directory') {
        await mkdir(path.join(folder, name), { mode: 0o700 });
        await body.cancel();
      } else if (header.type === 'file') digests.set(name, await writeFile(path.join(folder, name), body));
      else throw new Error(`it holds the ${header.type} ${JSON.stringify(name)}`);
    }
  } finally {
    unzipped.destroy();
  }
  if (said === undefined || expected === undefined) throw new Error('it is cut off');
  compare(expected, digests);
  return said;
}

/** An archive is made by one who could have written anything: this finds what a disk or a transfer has changed. */
function compare(expected: z.output<typeof checksums>, found: ReadonlyMap<string, string>): void {
  for (const [name, digest] of Object.entries(expected)) {
    if (found.get(name) !== digest) throw new Error(`${name} is not as it was written`);
  }
  const [extra] = [...found.keys()].filter((name) => !Object.hasOwn(expected, name));
  if (extra !== undefined) throw new Error(`${extra} has no checksum`);
  if (!found.has(`${databaseName}/PG_VERSION`)) throw new Error('it has no database');
}

async function writeFile(file: string, body: ReadableStream<Uint8Array>): Promise<string> {
  const digest = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of body) {
      digest.update(piece);
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return digest.digest('hex');
}

async function textOf(body: ReadableStream<Uint8Array>, digests: Map<string, string>, name: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxTextBytes) throw new Error(`${name} is too long`);
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  digests.set(name, createHash('sha256').update(bytes).digest('hex'));
  return bytes.toString('utf8');
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(JSON.parse(text));
  if (!result.success) throw new Error('it was written by a version that this one does not know');
  return result.data;
}
