import type { RequestHandler, Response } from 'express';
import { readRequestId, requestIdHeader } from '../../shared/http/forwarded-caller.js';

/** Puts the request's id into the answer's header. */
export const setRequestId: RequestHandler = (req, res, next) => {
  res.set(requestIdHeader, readRequestId(req.get(requestIdHeader)));
  next();
};

/** The id that `setRequestId` has set. */
export function requestIdOf(res: Response): string {
  return String(res.getHeader(requestIdHeader));
}
