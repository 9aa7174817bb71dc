import type { IncomingMessage } from 'node:http';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Request, RequestHandler } from 'express';
import express from 'express';
import { readAddress, readRequestId } from '../../shared/http/forwarded-caller.js';
import { callerAddressHeader } from '../caller.js';
import { HttpError } from './http-errors.js';

/** Bytes of a request to /trpc or /mcp; what is larger goes to the service itself. */
export const maxBodyBytes = 256 * 1024;

/** Calls in one request, at most: tRPC's batches, and the JSON-RPC batches of protocol 2025-03-26. */
export const maxCalls = 10;

/** The names the gateway answers to: the loopback ones and the configured ones, as `URL` spells host names. */
export function allowedNames(configured: readonly string[]): string[] {
  return [...localhostAllowedHostnames(), ...configured.map((name) => name.toLowerCase())];
}

/** Headers for answers that are data. A route that serves pages sets its policy itself. */
const secureHeaders = new Map([
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]);

/**
 * Begins every answer: with the request's id and secure headers, and as the last of its connection if no more should come on it.
 * An id that the caller sent is kept if it is safe. Later code reads the header. One handler, because Express's way from one to
 * the next costs more than these do.
 */
export function beginAnswer(isLast: () => boolean): RequestHandler {
  return (req, res, next) => {
    const requestId = readRequestId(req.get('x-request-id'));
    req.headers['x-request-id'] = requestId;
    res.setHeader('x-request-id', requestId);
    res.setHeaders(secureHeaders);
    if (isLast()) res.setHeader('connection', 'close');
    next();
  };
}

/** Notes the caller's address, by the rules of `trust proxy`, in place of what the caller may have sent under that name. */
export const giveAddress: RequestHandler = (req, _res, next) => {
  req.headers[callerAddressHeader] = readAddress(req.ip) ?? '';
  next();
};

/** Why a request is rejected. */
interface Check {
  readonly isMet: (req: Request) => boolean;
  readonly status: number;
  readonly message: string;
}

/** Rejects a request by the first check that it does not meet. */
export function rejectUnless(...checks: readonly Check[]): RequestHandler {
  return (req, _res, next) => {
    const failed = checks.find(({ isMet }) => !isMet(req));
    next(failed && new HttpError(failed.status, failed.message));
  };
}

/** A Host that is ours: a page that points its name at this address (DNS rebinding) sends that name. */
export function ownHost(names: string[]): Check {
  return { isMet: (req) => validateHostHeader(hostOf(req), names).ok, status: 403, message: refusedHost };
}

const refusedHost = 'this host name is not served here: PUBLIC_URL and ALLOWED_HOSTS name those that are';

/** The host of an absolute URL comes before the Host header (RFC 9112, 3.2.2). */
export function hostOf({ originalUrl, headers }: Request): string | undefined {
  if (originalUrl.startsWith('/')) return headers.host;
  return URL.canParse(originalUrl) ? new URL(originalUrl).host : undefined;
}

/** One Host header (RFC 9112, 3.2): of several, a proxy may have read another one than this server does. */
export const oneHost: Check = {
  isMet: ({ rawHeaders }) => rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === 'host').length < 2,
  status: 400,
  message: 'the request has several Host headers',
};

/** A body that is JSON. A page of another site can send forms and plain text without a preflight. */
export const jsonBody: Check = {
  isMet: ({ method, headers: { 'content-type': type } }) =>
    (type === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method)) ||
    /^application\/json\s*(?:;|$)/i.test(type ?? ''),
  status: 415,
  message: 'the request must be application/json',
};

/** JSON that does not nest so deep that recursive code would fail on it. */
export const flatJson: Check = {
  isMet: ({ body }) => !nestsTooDeeply(body),
  status: 400,
  message: 'the request nests too deeply',
};

/** A JSON-RPC batch (an array) that is not too large: each member may be a call to the service. */
export const smallBatch: Check = {
  isMet: ({ body }) => !Array.isArray(body) || body.length <= maxCalls,
  status: 400,
  message: `a batch has at most ${maxCalls} requests`,
};

/** Levels of objects and lists in a request, at most: far more than any input has, far fewer than recursive code survives. */
const maxDepth = 64;

/** Tells whether a JSON value nests deeper than requests may. It goes level by level, so that depth costs no stack. */
function nestsTooDeeply(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

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
