import type { UpstreamOutcome } from './outcome.js';

/** Tries after the first one. */
const maxRetries = 2;

/** Backoff before the first retry. It doubles, and a random share of it is used (full jitter). */
const baseDelayMs = 50;

/** The caller itself must wait for a longer `Retry-After`. */
const maxRetryAfterSeconds = 1;

/** Every call adds a fifth of a retry, up to ten saved, so that retries do not overload a struggling service. */
export class RetryBudget {
  #saved = 10;

  deposit(): void {
    this.#saved = Math.min(10, this.#saved + 0.2);
  }

  withdraw(): boolean {
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

interface Try {
  readonly method: string;
  readonly outcome: UpstreamOutcome;
  /** Tries so far, the first one included. */
  readonly tries: number;
  readonly remainingMs: number;
  /** 0 to 1. */
  readonly random: number;
}

/** How long to wait before another try. Null where there must be none: only GET is repeated, after a failure that may pass. */
export function retryDelayMs({ method, outcome, tries, remainingMs, random }: Try): number | null {
  if (method !== 'GET' || tries > maxRetries) return null;
  const leastMs = leastDelayMs(outcome);
  if (leastMs === null) return null;
  const delayMs = leastMs + random * baseDelayMs * 2 ** (tries - 1);
  return delayMs < remainingMs ? delayMs : null;
}

/** The wait that the failure itself demands. Null where another try would not help. */
function leastDelayMs(outcome: UpstreamOutcome): number | null {
  switch (outcome.kind) {
    case 'unreachable':
    case 'broken':
      return 0;
    case 'answered': {
      const { status, retryAfterSeconds } = outcome;
      if (status !== 429 && status !== 502 && status !== 503 && status !== 504) return null;
      if (status === 429 && retryAfterSeconds === null) return null;
      return (retryAfterSeconds ?? 0) <= maxRetryAfterSeconds ? (retryAfterSeconds ?? 0) * 1000 : null;
    }
    case 'unreadable':
    case 'circuit_open':
    case 'ended':
      return null;
  }
}
