/** Older than every feed: some databases write the year 1, or the beginning of Unix time, where they know no date. */
const earliest = new Date('1990-01-01T00:00:00Z');

/** Milliseconds that clocks may differ by. */
const tolerance = 24 * 60 * 60 * 1000;

/** The date, or null where nothing can have been published then: it is no date, or in the future. */
export function plausibleDate(date: Date | null, now: Date): Date | null {
  return date !== null && date >= earliest && date.getTime() <= now.getTime() + tolerance ? date : null;
}
