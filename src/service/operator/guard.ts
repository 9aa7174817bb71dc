import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { networkOf } from '../../shared/limits/network.js';
import { RateLimit } from '../../shared/limits/rate-limit.js';
import type { SharedCounters } from '../../shared/limits/shared-counters.js';
import { hashSecret } from '../auth/api-key.js';
import { bearerOf } from '../auth/authenticate.js';
import { addressOf } from '../http/address.js';
import { ApiError } from '../http/api-error.js';

/** Wrong keys from one address in a minute. */
const wrongKeys = { quota: 20, windowSeconds: 60 } as const;

interface Operator {
  readonly key: string;
  /** Counts that several instances share; null: this process counts alone. */
  readonly counters: SharedCounters | null;
}

/**
 * Lets only the holder of the operator key pass. Hashes have one length, so the comparison always takes the same time.
 *
 * An address that has sent many wrong keys gets 429. The right key passes all the same: behind a proxy many share an address,
 * and none of them may lock the operator out. A key has 32 characters at least, so its length is what makes it safe from
 * guessing, not the rate.
 */
export function requireOperator({ key, counters }: Operator): RequestHandler {
  const expected = hashSecret(key);
  const wrong = new RateLimit({ policy: 'operator', of: 'one address with wrong keys', ...wrongKeys, counters });
  return async (req, _res, next) => {
    const given = bearerOf(req.get('authorization'));
    if (given === undefined) throw new ApiError('unauthenticated');
    if (!timingSafeEqual(hashSecret(given), expected)) {
      await wrong.take(networkOf(addressOf(req)));
      throw new ApiError('unauthenticated');
    }
    next();
  };
}
