import type { RequestHandler } from 'express';
import { HttpError } from '../http/http-errors.js';
import type { SameOrigin } from './same-origin.js';
import type { SessionCookie } from './session-cookie.js';

/**
 * Makes the session's cookie the credential of a request that has no other. The caller is read from headers, so this writes
 * the one header; the cookie itself goes no further.
 */
export function cookieCredential(cookie: SessionCookie, sameOrigin: SameOrigin): RequestHandler {
  return (req, _res, next) => {
    const { headers } = req;
    const token = headers.authorization === undefined && headers['x-service-key'] === undefined && cookie.read(req);
    delete headers.cookie;
    if (typeof token !== 'string') return next();
    const refusal = sameOrigin.refusalOf(req);
    if (refusal !== null) return next(new HttpError(403, refusal));
    headers.authorization = `Bearer ${token}`;
    next();
  };
}
