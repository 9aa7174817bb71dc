/** What is left to a caller of one limit on the rate of calls. */
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
