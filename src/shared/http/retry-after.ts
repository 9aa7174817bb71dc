/** Longer waits are cut to a day: for every caller a day already means "later". */
const maxSeconds = 86_400;

/** An HTTP date (RFC 9110, 5.6.7): IMF-fixdate, or the obsolete form of RFC 850. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds to wait, 0 to 86,400, from a Retry-After header (RFC 9110, 10.2.3); null where it is absent or unreadable. */
export function readRetryAfterSeconds(header: unknown, now: Date): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,10}$/.test(header)) return Math.min(maxSeconds, Number(header));
  const date = httpDate.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(maxSeconds, Math.max(0, Math.ceil((date - now.getTime()) / 1_000)));
}
