/** Beyond a day a `Retry-After` tells nothing that "later" does not. */
const maxSeconds = 86_400;

/** Seconds that a `Retry-After` asks to wait (RFC 9110 10.2.3: seconds or a date); null where it is absent or unreadable. */
export function readRetryAfter(value: unknown, now: Date): number | null {
  if (typeof value !== 'string') return null;
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : Math.ceil((date - now.getTime()) / 1000);
  return Number.isFinite(seconds) ? Math.min(maxSeconds, Math.max(0, seconds)) : null;
}
