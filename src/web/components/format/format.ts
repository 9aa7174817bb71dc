const whole = new Intl.NumberFormat();
const percentage = new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 });

/** `1,204`. */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 alert`, `1,204 alerts`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}

/** A probability 0-1 as `4.3 %`. */
export function percent(probability: number): string {
  return percentage.format(probability);
}

/** `1.2 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: step === 0 ? 0 : 1 }).format(value / 1000 ** step)} ${units[step]}`;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A moment in the reader's zone, which it names. */
export function exact(at: Date): string {
  return moment.format(at);
}

/** A calendar date of a feed, such as `2026-11-22`. It has no zone, and none is applied. */
export function calendarDate(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

/** The same without its year, for an axis. */
export function shortDate(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

/** `3 wk. ago`, `in 5 min.`, `now`. */
export function relative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? ago.format(0, 'second') : ago.format(Math.trunc(seconds / size), unit);
}
