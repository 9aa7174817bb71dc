import type { BadRecord, Source } from './feed.js';
import { maxShownBad } from './load-report.js';

/** Usable and unusable records of a file so far. */
export interface Reading {
  good: number;
  bad: number;
  /** The first bad ones, for the report. */
  readonly shown: BadRecord[];
}

export function startReading(): Reading {
  return { good: 0, bad: 0, shown: [] };
}

/** The usable records of a source; the others are counted in `reading`. */
export async function* goodRecords<T>(source: Source<T>, reading: Reading): AsyncGenerator<T> {
  for await (const read of source.records) {
    if (read.kind === 'record') {
      reading.good += 1;
      yield read.record;
    } else {
      reading.bad += 1;
      if (reading.shown.length < maxShownBad) reading.shown.push(read.bad);
    }
  }
}
