import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../http/api-error.js';

/** Puts a stream down in a file of the data folder, uses it there, and removes it whatever happens. */
export async function spooled<T>(
  stream: Readable,
  { dataDir, maxBytes }: { readonly dataDir: string; readonly maxBytes: number },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const uploads = join(dataDir, 'uploads');
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(uploads, 'feed-'));
  try {
    const path = join(folder, 'upload');
    await pipeline(stream, refuseBeyond(maxBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseBeyond(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new ApiError('too_large', { detail: `a feed file may have at most ${maxBytes} bytes` }));
    },
  });
}
