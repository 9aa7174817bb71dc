import { Transform } from 'node:stream';
import type { Request } from 'express';
import type { TransferBody } from '../upstream/transfer.js';

/** The body of a request as it arrives, with the headers that say what it is. `onBytes` gets the bytes so far. */
export function countedBody(req: Request, onBytes: (size: number) => void): TransferBody {
  let size = 0;
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      onBytes(size);
      done(null, chunk);
    },
  });
  // Whoever reads it ends it too, and then knows why.
  bytes.on('error', () => {});
  req.pipe(bytes);
  const headers: Record<string, string> = {};
  for (const name of ['content-type', 'content-length', 'content-encoding']) {
    const value = req.get(name);
    if (value !== undefined) headers[name] = value;
  }
  return { bytes, headers };
}
