import type { Series } from '../chart/geometry.js';
import type { Trend } from './types.js';

type Known = Trend['all'];
export type TrendDay = Known['days'][number];

/** Pixels of the picture with its legend and the table's title, so that nothing moves when it comes. */
export const pictureHeight = 278;

const dayMs = 86_400_000;

/** Calendar dates (UTC) of the whole window, oldest first; the last is today. */
export function windowOf({ since, window_days }: Trend): string[] {
  return Array.from({ length: window_days + 1 }, (_, at) =>
    new Date(since.getTime() + at * dayMs).toISOString().slice(0, 10),
  );
}

/** The days of the window with what is known of each; null before anything was looked at. */
export function daysOf(window: readonly string[], { days }: Known): (TrendDay | null)[] {
  const known = new Map(days.map((each) => [each.day, each]));
  return window.map((day) => known.get(day) ?? null);
}

export function seriesOf(days: ReadonlyArray<TrendDay | null>): Series[] {
  return [
    { name: 'red', look: 'RED', values: days.map((day) => day?.open.red ?? null) },
    { name: 'yellow', look: 'YELLOW', values: days.map((day) => day?.open.yellow ?? null) },
    { name: 'green', look: 'GREEN', values: days.map((day) => day?.open.green ?? null) },
  ];
}
