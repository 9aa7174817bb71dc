import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { readRequestId } from '../shared/http/request-id.js';
import { HttpError } from './http-errors.js';

/** Calls in one request: tRPC's batches, and the JSON-RPC batches of protocol 2025-03-26. */
export const maxCalls = 10;

/** The names the gateway answers to: the loopback ones and the configured ones, as `URL` spells host names. */
export function allowedNames(configured: readonly string[]): string[] {
  return [...localhostAllowedHostnames(), ...configured.map((name) => name.toLowerCase())];
}

/** Gives every request an id, the caller's own if it is sane, and answers with it. Later readers find it in the header. */
export const giveRequestId: RequestHandler = (req, res, next) => {
  const requestId = readRequestId(req.get('x-request-id'));
  req.headers['x-request-id'] = requestId;
  res.setHeader('x-request-id', requestId);
  next();
};

/** Headers for answers that are data: a page that is served beside sets its own policy. */
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

/** Refuses a Host that is not ours: a page that rebinds its own name to this address (DNS rebinding) sends that name. */
export function checkHost(names: string[]): RequestHandler {
  return (req, _res, next) => {
    next(
      validateHostHeader(req.headers.host, names).ok
        ? undefined
        : new HttpError(403, 'this host name is not served here'),
    );
  };
}

/** Refuses pages of other sites. Requests without Origin, as programs and same-site reads send them, pass. */
export function checkOrigin(names: string[]): RequestHandler {
  return (req, _res, next) => {
    next(
      validateOriginHeader(req.headers.origin, names).ok ? undefined : new HttpError(403, 'this origin may not call'),
    );
  };
}

/** Refuses bodies that are not JSON. Forms and plain text are what a page of another site can send without asking. */
export const requireJson: RequestHandler = (req, _res, next) => {
  const isBodyless = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS';
  const type = req.headers['content-type'];
  if (isBodyless ? type === undefined || isJson(type) : isJson(type)) next();
  else next(new HttpError(415, 'the request must be application/json'));
};

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/** JSON-RPC batches are arrays; each member may be a call to the service. */
export const refuseLargeBatches: RequestHandler = (req, _res, next) => {
  const isLarge = Array.isArray(req.body) && req.body.length > maxCalls;
  next(isLarge ? new HttpError(400, `a batch has at most ${maxCalls} requests`) : undefined);
};
