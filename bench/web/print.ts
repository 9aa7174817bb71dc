import { median } from '../support/measure.js';
import type { ListSample } from './measure-list.js';
import type { PageSample } from './measure-page.js';

interface Measured {
  readonly path: string;
  readonly samples: readonly PageSample[];
}

const header = ['js kB', 'css kB', 'LCP ms', 'CLS', 'scripts ms', 'again ms', 'tasks ms'];

/** One row a page: medians of its rounds. */
export function printPages(pages: readonly Measured[]): void {
  console.log(`${''.padEnd(28)}${header.map((name) => name.padStart(11)).join('')}`);
  for (const { path, samples } of pages) {
    const of = (read: (sample: PageSample) => number, digits = 0) =>
      median(samples.map(read)).toFixed(digits).padStart(11);
    const figures = [
      of(({ kilobytes }) => kilobytes.scripts),
      of(({ kilobytes }) => kilobytes.styles),
      of(({ largestPaintMs }) => largestPaintMs),
      of(({ layoutShift }) => layoutShift, 3),
      of(({ scriptMs }) => scriptMs),
      of(({ scriptAgainMs }) => scriptAgainMs),
      of(({ taskMs }) => taskMs),
    ];
    console.log(`${path.padEnd(28)}${figures.join('')}`);
  }
}

export function printLists(alerts: number, samples: readonly ListSample[]): void {
  const of = (read: (sample: ListSample) => number) => median(samples.map(read)).toFixed(0);
  console.log(
    `\n${alerts} alerts: first row after ${of((each) => each.firstRowMs)} ms; 30 pages scrolled, longest task ${of((each) => each.longestTaskMs)} ms, ` +
      `${of((each) => each.rowsInDocument)} rows in the document; filtered in ${of((each) => each.filterMs)} ms`,
  );
}
