import { createHash } from 'node:crypto';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { ApiError } from './api-error.js';
import type { KeptBody } from './spool.js';
import { RateWatch, type TransferLimits } from './transfer-rate.js';

/** The bytes of a body, without its Content-Encoding: in memory, or in a file where they are many. */
export type ReceivedBytes = { readonly size: number; readonly sha256: Buffer } & (
  | { readonly bytes: Buffer }
  | { readonly file: string }
);

interface ReceiveLimits {
  /** Bytes, decompressed and as they are sent. */
  readonly maxBytes: number;
  /** The error for more of them. */
  readonly tooLarge: () => ApiError;
  readonly transfer: TransferLimits;
}

/**
 * Receives a body, whatever it holds, in bounded memory. Throws `too_slow` (408), what `tooLarge` answers, or 415 for an
 * encoding that is not known. The request itself stays usable for the answer.
 */
export async function receiveBytes(req: Request, kept: KeptBody, limits: ReceiveLimits): Promise<ReceivedBytes> {
  const decoder = decoderOf(req);
  // A client that left while this waited for its turn: no event tells of it any more.
  if (req.destroyed && !req.complete) throw cutOff();
  if (Number(req.get('content-length')) > limits.maxBytes) throw limits.tooLarge();
  const hash = createHash('sha256');
  let size = 0;
  try {
    await transferred(req, decoder, limits, (chunk) => {
      size += chunk.length;
      if (size > limits.maxBytes) throw limits.tooLarge();
      hash.update(chunk);
      return kept.add(chunk);
    });
    return { size, sha256: hash.digest(), ...(await kept.end()) };
  } catch (error) {
    await kept.discard();
    throw error;
  }
}

/** Takes each piece as it arrives; the sender waits while the returned promise does. */
type Take = (chunk: Buffer) => Promise<void> | undefined;

function transferred(req: Request, decoder: Transform | null, limits: ReceiveLimits, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    const source: Readable = decoder ?? req;
    let isOver = false;
    const end = (finish: () => void) => {
      if (isOver) return;
      isOver = true;
      watch.end();
      req.off('data', count).off('data', receive);
      if (decoder !== null) {
        // Else the request would be paused when the decoder has closed.
        req.unpipe(decoder);
        decoder.destroy();
      }
      // What still comes is thrown away: a sender that is busy sending would not read the answer.
      req.resume();
      finish();
    };
    const fail = (error: unknown) => end(() => reject(error));
    let sent = 0;
    const count = (chunk: Buffer) => {
      watch.add(chunk.length);
      sent += chunk.length;
      if (sent > limits.maxBytes) fail(limits.tooLarge());
    };
    const receive = (chunk: Buffer) => {
      if (isOver) return;
      try {
        const kept = take(chunk);
        if (kept === undefined) return;
        source.pause();
        kept.then(() => source.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    const watch = new RateWatch(limits.transfer, fail);
    req.on('data', count);
    req.on('error', fail);
    req.on('close', () => {
      if (!req.complete) fail(cutOff());
    });
    source.on('data', receive);
    source.on('end', () => end(resolve));
    if (decoder === null) return;
    decoder.on('error', (error) => fail(isAboutBytes(error) ? broken() : error));
    req.pipe(decoder);
  });
}

function isAboutBytes(error: Error): boolean {
  return 'code' in error && /^(?:Z_|ERR_|BROTLI)/i.test(String(error.code));
}

function cutOff(): ApiError {
  return new ApiError('malformed_request', { detail: 'the body ended before its end' });
}

function broken(): ApiError {
  return new ApiError('malformed_request', { detail: 'the body is not in its Content-Encoding' });
}

function decoderOf(req: Request): Transform | null {
  switch ((req.get('content-encoding') ?? 'identity').toLowerCase().trim()) {
    case 'identity':
    case '':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new ApiError('unsupported_media_type', {
        detail: 'the Content-Encoding is not supported: send gzip, deflate, br or none',
      });
  }
}
