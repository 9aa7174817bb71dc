import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';

/** JSON that cannot be parsed. The fields are those of Express's parser. The text is not in it. */
class JsonSyntaxError extends SyntaxError {
  override readonly name = 'SyntaxError';
  readonly status = 400;
  readonly type = 'entity.parse.failed';
}

/**
 * Reads a JSON body of a request, at most so many bytes, as `express.json` does. A plain one, as almost all are, is read without
 * its streams and its choice of encodings, which cost more than the parsing of a small body.
 */
export function readJson(maxBytes: number): RequestHandler {
  const readAny = express.json({ limit: maxBytes });
  return (req, res, next) => {
    if (!isPlain(req, maxBytes)) return readAny(req, res, next);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => {
      const [first, ...more] = chunks;
      const bytes = first === undefined || more.length > 0 ? Buffer.concat(chunks) : first;
      const body = parseObject(bytes.toString());
      req.body = body;
      next(body === undefined ? new JsonSyntaxError('the body is not JSON') : undefined);
    });
  };
}

/** Whether a body is neither compressed nor in another encoding, and tells its length. */
function isPlain({ headers }: IncomingMessage, maxBytes: number): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    length > 0 &&
    length <= maxBytes &&
    headers['content-encoding'] === undefined &&
    /^application\/json(?:; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '')
  );
}

/** An object or an array. Text that is empty but for a byte order mark is an empty object, as Express has it. */
function parseObject(text: string): unknown {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (plain === '') return {};
  try {
    const value: unknown = JSON.parse(plain);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
