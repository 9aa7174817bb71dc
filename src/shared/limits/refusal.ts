import type { RateStanding } from './rate-fields.js';

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
