import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A file that is kept compressed. */
export interface GzipFile {
  readonly gzip: Buffer;
  /** Of the content, in hex. */
  readonly hash: string;
}

export function gzipFile(gzip: Buffer): GzipFile {
  return { gzip, hash: createHash('sha256').update(gzip).digest('hex').slice(0, 32) };
}

/** Sends it as the caller takes it; 304 where the caller has it already. */
export function sendGzip(req: Request, res: Response, { gzip, hash }: GzipFile): void {
  const isTaken = req.acceptsEncodings('gzip') === 'gzip';
  res.vary('accept-encoding').set({ 'Cache-Control': 'no-cache', ETag: `"${hash}${isTaken ? '-gzip' : ''}"` });
  if (isTaken) res.set('Content-Encoding', 'gzip');
  res.send(isTaken ? gzip : gunzipSync(gzip));
}
