import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Request, RequestHandler } from 'express';
import { readAddress } from '../shared/http/client-address.js';
import { readRequestId } from '../shared/http/request-id.js';
import { callerAddressHeader } from './caller.js';
import { HttpError } from './http-errors.js';
import { nestsTooDeeply } from './nesting.js';

/** Bytes of a request to /trpc or /mcp; what is larger goes to the service itself. */
export const maxBodyBytes = 256 * 1024;

/** Calls in one request, at most: tRPC's batches, and the JSON-RPC batches of protocol 2025-03-26. */
export const maxCalls = 10;

/** The names the gateway answers to: the loopback ones and the configured ones, as `URL` spells host names. */
export function allowedNames(configured: readonly string[]): string[] {
  return [...localhostAllowedHostnames(), ...configured.map((name) => name.toLowerCase())];
}

/** Gives every request an id and answers with it. An id that the caller sent is kept if it is safe. Later code reads the header. */
export const giveRequestId: RequestHandler = (req, res, next) => {
  const requestId = readRequestId(req.get('x-request-id'));
  req.headers['x-request-id'] = requestId;
  res.setHeader('x-request-id', requestId);
  next();
};

/** Notes the caller's address, by the rules of `trust proxy`, in place of what the caller may have sent under that name. */
export const giveAddress: RequestHandler = (req, _res, next) => {
  req.headers[callerAddressHeader] = readAddress(req.ip) ?? '';
  next();
};

/** Headers for answers that are data. A route that serves pages sets its policy itself. */
const secureHeaders = new Map([
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]);

export const setSecureHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(secureHeaders);
  next();
};

function check(isMet: (req: Request) => boolean, status: number, message: string): RequestHandler {
  return (req, _res, next) => next(isMet(req) ? undefined : new HttpError(status, message));
}

/** Rejects a Host that is not ours: a page that points its name at this address (DNS rebinding) sends that name. */
export function checkHost(names: string[]): RequestHandler {
  return check((req) => validateHostHeader(hostOf(req), names).ok, 403, refusedHost);
}

const refusedHost = 'this host name is not served here: PUBLIC_URL and ALLOWED_HOSTS name those that are';

/** The host of an absolute URL comes before the Host header (RFC 9112, 3.2.2). */
export function hostOf({ originalUrl, headers }: Request): string | undefined {
  if (originalUrl.startsWith('/')) return headers.host;
  return URL.canParse(originalUrl) ? new URL(originalUrl).host : undefined;
}

/** Rejects a request with several Host headers (RFC 9112, 3.2): a proxy may have read another one than this server does. */
export const rejectSeveralHosts = check(
  ({ rawHeaders }) => rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === 'host').length < 2,
  400,
  'the request has several Host headers',
);

/** Rejects bodies that are not JSON. A page of another site can send forms and plain text without a preflight. */
export const requireJson = check(
  ({ method, headers: { 'content-type': type } }) =>
    (type === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method)) ||
    /^application\/json\s*(?:;|$)/i.test(type ?? ''),
  415,
  'the request must be application/json',
);

/** Rejects JSON that nests so deep that recursive code would fail on it. */
export const rejectDeepJson = check(({ body }) => !nestsTooDeeply(body), 400, 'the request nests too deeply');

/** Rejects JSON-RPC batches (arrays) that are too large: each member may be a call to the service. */
export const rejectLargeBatches = check(
  ({ body }) => !Array.isArray(body) || body.length <= maxCalls,
  400,
  `a batch has at most ${maxCalls} requests`,
);
