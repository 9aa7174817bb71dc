const secondMs = 1_000;
const hourMs = 60 * 60 * secondMs;

/** From a notification's beginning to its last attempt. */
const givenUpMs = 24 * hourMs;

const firstDelayMs = 10 * secondMs;
const longestDelayMs = 4 * hourMs;

interface FailedAttempt {
  /** This one counted in. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly now: Date;
  /** What the receiver asked for (Retry-After). */
  readonly askedDelayMs?: number;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * When to try again: after 10 s, 30 s, 90 s and so on to 4 h, each a fifth shorter or longer so that what failed together
 * does not come back together, and never before the receiver wants it. Null after 24 hours.
 */
export function nextAttempt({ attempts, createdAt, now, askedDelayMs = 0, random }: FailedAttempt): Date | null {
  const delayMs = Math.min(firstDelayMs * 3 ** (attempts - 1), longestDelayMs) * (0.8 + 0.4 * random);
  const next = now.getTime() + Math.max(delayMs, askedDelayMs);
  return next > createdAt.getTime() + givenUpMs ? null : new Date(next);
}

/** Milliseconds that a Retry-After asks for (RFC 9110, 10.2.3: seconds or a date); undefined where it is neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * secondMs;
  const until = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}
