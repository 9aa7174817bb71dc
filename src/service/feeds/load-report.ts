import type { AlertCounts } from '../assessment/reassess-project.js';
import type { BadRecord, FeedKind } from './feed.js';

export interface LoadCounts {
  readonly added: number;
  readonly updated: number;
  /** What was there already, word for word. */
  readonly unchanged: number;
  /** Of those added or updated: advisories that their database has taken back. */
  readonly withdrawn: number;
  /** No longer in a catalogue that is always published whole (KEV). */
  readonly removed: number;
  /** Older than what is stored, or of ecosystems that we cannot match. */
  readonly skipped: number;
  readonly bad: number;
}

export const noCounts: LoadCounts = {
  added: 0,
  updated: 0,
  unchanged: 0,
  withdrawn: 0,
  removed: 0,
  skipped: 0,
  bad: 0,
};

export function addCounts(a: LoadCounts, b: LoadCounts): LoadCounts {
  return {
    added: a.added + b.added,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    withdrawn: a.withdrawn + b.withdrawn,
    removed: a.removed + b.removed,
    skipped: a.skipped + b.skipped,
    bad: a.bad + b.bad,
  };
}

/** How a file was taken: `same` content was loaded before, `older` content is not put over newer. */
type LoadOutcome = 'loaded' | 'same' | 'older';

export interface LoadReport {
  /** The feed's row: `osv:<file or ecosystem>`, `epss`, `kev`. */
  readonly feed: string;
  readonly kind: FeedKind;
  readonly outcome: LoadOutcome;
  readonly version: string | null;
  readonly publishedAt: Date | null;
  readonly counts: LoadCounts;
  /** The first unusable records; `counts.bad` tells of all. */
  readonly bad: readonly BadRecord[];
  /** What that changed in the projects' alerts. */
  readonly alerts: AlertCounts;
}

/** Unusable records kept to be shown. */
export const maxShownBad = 20;

/** Records that were read, for who waits. */
export interface LoadProgress {
  readonly records: number;
  /** 0 to 1. */
  readonly fraction: number;
}
