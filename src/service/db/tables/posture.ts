import type { Domain } from '../../../procedures/risk.js';
import type { FindingSeverity, Tier, VerdictBand } from '../../../shared/vulnerability-terms.js';
import type { Kept } from './columns.js';

export interface PostureCountsTable {
  organisation_id: string;
  domain: Domain;
  /** Empty for the sum of all sources. */
  source: string;
  project_id: string;
  state: 'open' | 'open_acknowledged' | 'resolved' | 'resolved_acknowledged' | 'suppressed' | 'fixed';
  tier: Tier;
  severity: FindingSeverity | 'unknown';
  /** Empty except for alerts. */
  band: VerdictBand | 'unanalyzed' | '';
  count: Kept<number>;
}

export interface PostureDaysTable {
  organisation_id: string;
  domain: Domain;
  /** YYYY-MM-DD, UTC. */
  day: string;
  project_id: string;
  tier: Tier;
  /** See migration 0009. */
  appeared: number;
  reopened: number;
  resolved: number;
  net: number;
}

/** Of a project's tech stack: see migration 0025. Rows of sets that have landed add up. */
export interface StackCountsTable {
  organisation_id: string;
  project_id: string;
  change_set: Kept<number>;
  packages: Kept<number>;
  first_at: Kept<Date>;
  changed_at: Kept<Date>;
}
