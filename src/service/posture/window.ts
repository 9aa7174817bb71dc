/** Milliseconds. */
const day = 24 * 60 * 60 * 1000;

/** The beginning (UTC) of the day that lies `days` before today's. */
export function windowStart(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / day) * day - days * day);
}

/** The days (UTC, YYYY-MM-DD) from the window's start to today, and one more: the clocks of two services may differ. */
export function daysOf(start: Date, now: Date): string[] {
  const days: string[] = [];
  for (let at = start.getTime(); at <= now.getTime() + day; at += day) days.push(dayOf(new Date(at)));
  return days;
}

/** A moment's day (UTC), YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
