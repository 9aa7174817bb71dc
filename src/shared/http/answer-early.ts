import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a body that is not wanted is read, so that its sender comes to read the answer. */
export interface LingerLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** Twice the largest body that is taken anywhere. */
export const lingerLimits: LingerLimits = { bytes: 128 * 1024 * 1024, ms: 10_000 };

/** A rest that Node may read itself, so that the connection stays open for the next request. */
const smallRest = 256 * 1024;

/**
 * Ends an answer that does not depend on the whole request. Where much of its body is still to come, the answer is sent at once
 * and the connection closed after it, but only when the sender has stopped, or after a while: a system that closes a connection
 * with unread bytes resets it, and the answer may be lost with it (RFC 9112, 9.6).
 */
export function endEarly(res: ServerResponse, body: string, { bytes, ms }: LingerLimits = lingerLimits): void {
  const { req } = res;
  const content = Buffer.from(body);
  res.setHeader('Content-Length', content.length);
  if (!sendsMuch(req) || req.method === 'HEAD') {
    res.end(content);
    return;
  }
  res.setHeader('Connection', 'close');
  res.write(content);
  let left = bytes;
  const end = () => {
    clearTimeout(timer);
    req.off('data', count);
    res.end();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, ms).unref();
  req.on('data', count).once('end', end).once('close', end).resume();
}

function sendsMuch(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  return !req.complete && (encoding !== undefined || Number(length ?? 0) > smallRest);
}
