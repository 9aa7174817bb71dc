import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.js';

export type FindingRow = Selectable<Schema['findings']>;
export type ScanJobRow = Selectable<Schema['scan_jobs']>;

/** Fields that findings of all domains have. */
export function commonFacts({ id, tool, severity, tier, state, first_seen_at, last_seen_at, fixed_at }: FindingRow) {
  return { id, tool, severity, tier, state, first_seen_at, last_seen_at, fixed_at };
}

/** Fields that scan jobs of all domains have. */
export function commonJobFacts({ id, status, red, yellow, green, started_at, finished_at }: ScanJobRow) {
  return { id, status, tiers: { red, yellow, green }, started_at, finished_at };
}
