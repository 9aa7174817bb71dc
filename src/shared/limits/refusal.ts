/**
 * Why a call is refused before it is worked on. `rate_limited`: the caller itself makes too many calls (HTTP 429).
 * `busy`: the server cannot do more at present, whoever calls (HTTP 503).
 */
type RefusalCause = 'rate_limited' | 'busy';

/** A call that is refused at once. Nothing of it was done, so it may be sent again after `retryAfterSeconds`. */
export class Refusal extends Error {
  readonly refusal: RefusalCause;
  /** What is exceeded, in words for people, as `1000 calls in 10 s by one credential`. */
  readonly limit: string;
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;

  constructor(refusal: RefusalCause, limit: string, retryAfterSeconds: number) {
    super(`more than ${limit}`);
    this.name = 'Refusal';
    this.refusal = refusal;
    this.limit = limit;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
