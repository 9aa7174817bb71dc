/** Milliseconds. */
const day = 24 * 60 * 60 * 1000;

/** The beginning (UTC) of the day that lies `days` before today's. */
export function windowStart(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / day) * day - days * day);
}

/** A moment's day (UTC), YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
