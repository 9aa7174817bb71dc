import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { ArchiveError, PackageWriter } from './package-writer.js';

/** Unpacked bytes of one archive, padding and headers included: a small archive can unfold to any size. */
const maxUnpackedBytes = 1024 * 1024 * 1024;

/**
 * Unpacks the tarball of a package into a folder, without the one folder that all its paths begin with. Only regular files
 * are written, links are not.
 *
 * @throws ArchiveError for paths that lead out of the package, and for more than a package has; other errors for a damaged file
 */
export async function unpackTarball(file: string, folder: string): Promise<void> {
  const writer = new PackageWriter(folder);
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  try {
    const entries = ReadableStream.from(bounded(unzipped)).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      const path = header.name.slice(header.name.indexOf('/') + 1);
      const isFile = header.type === undefined || header.type === 'file';
      const isWanted = isFile && writer.accepts(path, header.size);
      const content = await bytesOf(body, isWanted && PackageWriter.keepsText(path));
      if (isWanted) await writer.write(path, content);
    }
  } finally {
    unzipped.destroy();
    source.destroy();
  }
}

async function* bounded(stream: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxUnpackedBytes) throw new ArchiveError('unfolds to more than a package has');
    yield chunk;
  }
}

/** Reads a body to its end, without which the decoder does not go on; what is not kept is forgotten chunk by chunk. */
async function bytesOf(body: ReadableStream<Uint8Array>, isKept: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) if (isKept) chunks.push(chunk);
  return Buffer.concat(chunks);
}
