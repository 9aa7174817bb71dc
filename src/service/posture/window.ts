const dayMs = 24 * 60 * 60 * 1000;

/** When the day (UTC) began that is `days` days before today. */
export function windowStart(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
}

/** The days (UTC, YYYY-MM-DD) from the window's start to tomorrow, because the clocks of two services may differ. */
export function daysOf(start: Date, now: Date): string[] {
  const days: string[] = [];
  for (let at = start.getTime(); at <= now.getTime() + dayMs; at += dayMs) days.push(dayOf(new Date(at)));
  return days;
}

/** A moment's day (UTC), YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
