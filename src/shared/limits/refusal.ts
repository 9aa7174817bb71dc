/**
 * Why a call is refused before it is worked on. `rate_limited`: the caller itself makes too many calls (HTTP 429).
 * `busy`: the server cannot do more at present, whoever calls (HTTP 503).
 */
type RefusalCause = 'rate_limited' | 'busy';

/**
 * A call that is refused at once. Nothing of it was done, so it may be sent again after `retryAfterSeconds`. The message is
 * for the caller.
 */
export class Refusal extends Error {
  readonly refusal: RefusalCause;
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** Of the limit on a rate that is reached; null for other limits. */
  readonly standing: RateStanding | null;

  constructor(
    refusal: RefusalCause,
    message: string,
    retryAfterSeconds: number,
    { standing = null }: { readonly standing?: RateStanding | null } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.refusal = refusal;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
    this.standing = standing;
  }
}

/** The rest of one rate limit for a caller. */
export interface RateStanding {
  /** Name of the limit, as `credential`: letters, digits and `-`. */
  readonly policy: string;
  /** Calls in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Until the window ends, and all calls are available again. */
  readonly resetSeconds: number;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10, as structured fields (RFC 9651): `RateLimit-Policy:
 * "credential";q=1000;w=10` and `RateLimit: "credential";r=999;t=10`. No `pk`: a partition is the caller's own.
 */
export function rateLimitFields(standings: readonly RateStanding[]): Readonly<Record<string, string>> {
  if (standings.length === 0) return {};
  const policies = standings.map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`);
  const limits = standings.map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`);
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: limits.join(', ') };
}
