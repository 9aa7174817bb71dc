import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { BackupError } from './backup-format.js';

export interface SavedBackup {
  readonly bytes: number;
  /** SHA-256 of the file, as hex. */
  readonly sha256: string;
}

/** @throws BackupError where there is a file of this name */
export function requireNewFile(file: string): void {
  if (existsSync(file)) throw new BackupError(`${file} exists, and nothing is overwritten: choose another name`);
}

/**
 * Writes a stream to a new file that only its owner can read. It gets its name when all of it is on the disk: what a killed process
 * leaves has a name that ends in `.part`.
 */
export async function saveBackup(stream: Readable, file: string): Promise<SavedBackup> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  const digest = createHash('sha256');
  let bytes = 0;
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      digest.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  try {
    await pipeline(stream, counted, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    await sync(draft);
    await link(draft, file).catch((error: unknown) => {
      if (codeOfError(error) === 'EEXIST') requireNewFile(file);
      throw error;
    });
    await sync(path.dirname(path.resolve(file)));
  } finally {
    await rm(draft, { force: true });
  }
  return { bytes, sha256: digest.digest('hex') };
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
