import { ApiError } from '../http/api-error.js';

const maxFailures = 10;
const windowMs = 15 * 60 * 1000;

/** Pairs of address and email to remember. The one without an attempt for the longest time is dropped first. */
const maxPairs = 10_000;

/** Slows the guessing of passwords: ten failures in 15 minutes for one email from one address. */
export interface SignInThrottle {
  /** Counts an attempt, and rejects the eleventh. Runs before the password check, so that parallel attempts count too. */
  begin(email: string, ip: string | null, now: Date): void;
  /** Forgets the failures. */
  succeed(email: string, ip: string | null): void;
}

export function createSignInThrottle(): SignInThrottle {
  const attempts = new Map<string, number[]>();
  const keyOf = (email: string, ip: string | null) => `${ip ?? ''} ${email}`;
  return {
    begin(email, ip, now) {
      const key = keyOf(email, ip);
      const recent = (attempts.get(key) ?? []).filter((at) => at > now.getTime() - windowMs);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= maxFailures) {
        throw new ApiError('rate_limited', {
          detail: 'too many failed attempts to sign in',
          retryAfterSeconds: Math.ceil((oldest + windowMs - now.getTime()) / 1000),
        });
      }
      attempts.delete(key);
      attempts.set(key, [...recent, now.getTime()]);
      const [oldestPair] = attempts.keys();
      if (attempts.size > maxPairs && oldestPair !== undefined) attempts.delete(oldestPair);
    },
    succeed(email, ip) {
      attempts.delete(keyOf(email, ip));
    },
  };
}
