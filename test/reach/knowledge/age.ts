const day = 24 * 60 * 60 * 1000;

/** Days after which knowledge should be compared with its source again, and after which it must be. */
const maxAge = { fresh: 90, due: 365 };

/**
 * How old knowledge is.
 *
 * @param checked a day, as `2026-11-22`
 * @param now in milliseconds since 1970
 */
export function ageOf(checked: string, now: number): 'fresh' | 'due' | 'stale' {
  const days = (now - Date.parse(checked)) / day;
  if (days <= maxAge.fresh) return 'fresh';
  return days <= maxAge.due ? 'due' : 'stale';
}
