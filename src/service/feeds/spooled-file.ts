import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../http/api-error.js';
import { limitBytes } from './limit-bytes.js';

/** Writes a stream to a file in the data folder, uses the file, and removes it whatever happens. */
export async function withSpooledFile<T>(
  stream: Readable,
  { dataDir, maxBytes }: { readonly dataDir: string; readonly maxBytes: number },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const uploads = join(dataDir, 'uploads');
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(uploads, 'feed-'));
  const tooLarge = () => new ApiError('too_large', { detail: `a feed file may have at most ${maxBytes} bytes` });
  try {
    const path = join(folder, 'upload');
    await pipeline(stream, limitBytes(maxBytes, tooLarge), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
