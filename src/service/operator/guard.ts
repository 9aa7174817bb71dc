import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { hashSecret } from '../auth/api-key.js';
import { bearerOf } from '../auth/authenticate.js';
import { ApiError } from '../http/api-error.js';

/** Lets only the holder of the operator key pass. Hashes have one length, so the comparison always takes the same time. */
export function requireOperator(operatorKey: string): RequestHandler {
  const expected = hashSecret(operatorKey);
  return (req, _res, next) => {
    const given = bearerOf(req.get('authorization'));
    if (given === undefined || !timingSafeEqual(hashSecret(given), expected)) throw new ApiError('unauthenticated');
    next();
  };
}
