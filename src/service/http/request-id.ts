import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const header = 'x-request-id';

/** Narrow enough to stand in a log line, an audit row and a header as it is. */
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives every request an id: the caller's own where it is plain text, a new one otherwise. */
export const giveRequestId: RequestHandler = (req, res, next) => {
  const own = req.get(header);
  res.set(header, own !== undefined && acceptable.test(own) ? own : randomUUID());
  next();
};

/** The id that `giveRequestId` gave. */
export function requestIdOf(res: Response): string {
  return String(res.getHeader(header));
}
