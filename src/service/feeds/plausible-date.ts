/** Older than every feed: some databases write the year 1, or the beginning of Unix time, where they know no date. */
const earliest = new Date('1990-01-01T00:00:00Z');

/** Milliseconds that clocks may differ by. */
const tolerance = 24 * 60 * 60 * 1000;

/** The date, or null where nothing can have been published then: it is no date, or in the future. */
export function plausibleDate(date: Date | null, now: Date): Date | null {
  return date !== null && date >= earliest && date.getTime() <= now.getTime() + tolerance ? date : null;
}

/**
 * The first day of the year that an id was given in; null for an id without a year. The source of Go's database writes the
 * year 1 as the date of most records, and `GO-2026-0001` is not older than 2026.
 */
export function yearOfId(id: string): Date | null {
  const year = /^[A-Z]+-(\d{4})-\d+$/.exec(id)?.[1];
  return year === undefined ? null : new Date(`${year}-01-01T00:00:00Z`);
}
