const secondMs = 1_000;
const hourMs = 60 * 60 * secondMs;

/** No attempt is made later than this after the notification was queued. */
const maxAgeMs = 24 * hourMs;

const firstDelayMs = 10 * secondMs;
const maxDelayMs = 4 * hourMs;

interface FailedAttempt {
  /** Attempts made until now, the failed one included. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly now: Date;
  /** The wait that the receiver asked for (Retry-After). */
  readonly retryAfterSeconds: number | null;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * When to try again: after 10 s, 30 s, 90 s and so on up to 4 h, but never before the receiver wants it. Null where that is
 * later than 24 hours. Each delay is up to a fifth shorter or longer, so that attempts that failed together spread out.
 */
export function nextAttempt({ attempts, createdAt, now, retryAfterSeconds, random }: FailedAttempt): Date | null {
  const delayMs = Math.min(firstDelayMs * 3 ** (attempts - 1), maxDelayMs) * (0.8 + 0.4 * random);
  const next = now.getTime() + Math.max(delayMs, (retryAfterSeconds ?? 0) * secondMs);
  return next > createdAt.getTime() + maxAgeMs ? null : new Date(next);
}
