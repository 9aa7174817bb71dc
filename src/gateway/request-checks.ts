import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { readRequestId } from '../shared/http/request-id.js';
import { HttpError } from './http-errors.js';

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

/** Headers for answers that are data. A route that serves pages sets its policy itself. */
export const setSecureHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  next();
};

/** Rejects a Host that is not ours: a page that points its name at this address (DNS rebinding) sends that name. */
export function checkHost(names: string[]): RequestHandler {
  return (req, _res, next) => {
    next(
      validateHostHeader(req.headers.host, names).ok
        ? undefined
        : new HttpError(403, 'this host name is not served here'),
    );
  };
}

/** Rejects pages of other sites. Requests without Origin pass: programs and same-site reads send none. */
export function checkOrigin(names: string[]): RequestHandler {
  return (req, _res, next) => {
    next(
      validateOriginHeader(req.headers.origin, names).ok ? undefined : new HttpError(403, 'this origin may not call'),
    );
  };
}

/** Rejects bodies that are not JSON. A page of another site can send forms and plain text without a preflight. */
export const requireJson: RequestHandler = (req, _res, next) => {
  const isBodyless = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS';
  const type = req.headers['content-type'];
  if (isBodyless ? type === undefined || isJson(type) : isJson(type)) next();
  else next(new HttpError(415, 'the request must be application/json'));
};

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/** Rejects JSON-RPC batches (arrays) that are too large: each member may be a call to the service. */
export const rejectLargeBatches: RequestHandler = (req, _res, next) => {
  const isLarge = Array.isArray(req.body) && req.body.length > maxCalls;
  next(isLarge ? new HttpError(400, `a batch has at most ${maxCalls} requests`) : undefined);
};
