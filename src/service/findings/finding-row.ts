import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.js';

export type FindingRow = Selectable<Schema['findings']>;
export type ScanJobRow = Selectable<Schema['scan_jobs']>;

/** What every kind of finding tells in the same words. */
export function commonFacts({ id, tool, severity, tier, state, first_seen_at, last_seen_at, fixed_at }: FindingRow) {
  return { id, tool, severity, tier, state, first_seen_at, last_seen_at, fixed_at };
}

/** What every kind of scan job tells in the same words. */
export function commonJobFacts({ id, status, red, yellow, green, started_at, finished_at }: ScanJobRow) {
  return { id, status, tiers: { red, yellow, green }, started_at, finished_at };
}
