import * as z from 'zod';
import { badRecord, feedKinds } from './feed.js';

const loadCounts = z.object({
  added: z.int(),
  updated: z.int(),
  /** Stored already, with exactly this content. */
  unchanged: z.int(),
  /** Of those added or updated: advisories that their database has withdrawn. */
  withdrawn: z.int(),
  /** No longer in a catalogue that is always published whole (KEV), or in a file that had them (symbols). */
  removed: z.int(),
  /** Older than what is stored, or of ecosystems that we cannot match. */
  skipped: z.int(),
  /** Of those skipped: of ecosystems that we cannot match. */
  unmatched: z.int(),
  bad: z.int(),
});

export type LoadCounts = Readonly<z.output<typeof loadCounts>>;

export const noCounts: LoadCounts = {
  added: 0,
  updated: 0,
  unchanged: 0,
  withdrawn: 0,
  removed: 0,
  skipped: 0,
  unmatched: 0,
  bad: 0,
};

/** A row that was written for a CVE; `added` where there was none before. */
export interface WrittenCve {
  readonly cve: string;
  readonly added: boolean;
}

export function countWritten(written: readonly WrittenCve[]): LoadCounts {
  const added = written.filter((row) => row.added).length;
  return { ...noCounts, added, updated: written.length - added };
}

export function addCounts(a: LoadCounts, b: LoadCounts): LoadCounts {
  return {
    added: a.added + b.added,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    withdrawn: a.withdrawn + b.withdrawn,
    removed: a.removed + b.removed,
    skipped: a.skipped + b.skipped,
    unmatched: a.unmatched + b.unmatched,
    bad: a.bad + b.bad,
  };
}

/** Unusable records that a report names; the others are only counted. */
export const maxShownBad = 20;

export const loadReport = z.object({
  /** The feed's row: `osv:<file or ecosystem>`, `epss`, `kev`, `symbols:<file>`. */
  feed: z.string(),
  kind: z.enum(feedKinds),
  /** `same`: this content was loaded before. `older`: the stored content is newer and was kept. */
  outcome: z.enum(['loaded', 'same', 'older']),
  version: z.string().nullable(),
  publishedAt: z
    .codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
    .nullable(),
  counts: loadCounts,
  /** The first unusable records; `counts.bad` counts all. */
  bad: z.array(badRecord).readonly(),
  /** What the load has changed in the projects' alerts. */
  alerts: z.object({ opened: z.int(), reopened: z.int(), resolved: z.int(), updated: z.int() }),
});

export type LoadReport = z.output<typeof loadReport>;

export interface LoadProgress {
  readonly records: number;
  /** 0 to 1. */
  readonly fraction: number;
}
