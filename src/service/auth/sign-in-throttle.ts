import { ApiError } from '../http/api-error.js';

const maxFailures = 10;
const windowMs = 15 * 60 * 1000;

/** Pairs of address and email remembered at once; the longest untouched is forgotten first. */
const maxRemembered = 10_000;

/** Slows the guessing of passwords down: ten failures in 15 minutes for one email from one address. */
export interface SignInThrottle {
  /** Counts an attempt before its password is looked at, so that attempts in parallel count too; refuses the eleventh. */
  begin(email: string, ip: string | null, now: Date): void;
  /** The attempt was right: forget the failures. */
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
      const [longestUntouched] = attempts.keys();
      if (attempts.size > maxRemembered && longestUntouched !== undefined) attempts.delete(longestUntouched);
    },
    succeed(email, ip) {
      attempts.delete(keyOf(email, ip));
    },
  };
}
