import type { BadRecord, Source } from './feed.js';
import { maxShownBad } from './load-report.js';

/** Usable and unusable records of a file so far. */
export interface Reading {
  good: number;
  bad: number;
  /** The first bad ones, for the report. */
  readonly shown: BadRecord[];
  /** The first bad ones, to be stored: what they name is not covered. */
  readonly unread: UnreadRecord[];
}

/** A record that could not be read, as it is stored. */
export type UnreadRecord = Pick<BadRecord, 'at' | 'field' | 'problem'> & {
  readonly packages: readonly string[] | null;
};

/** Unusable records of a feed that are stored. With more, the feed's ecosystems count as not covered. */
const maxUnread = 1000;

export function startReading(): Reading {
  return { good: 0, bad: 0, shown: [], unread: [] };
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
      const { at, field, problem } = read.bad;
      if (reading.unread.length < maxUnread) reading.unread.push({ at, field, problem, packages: read.packages });
    }
  }
}
