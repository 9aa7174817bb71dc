import type { ColumnType } from 'kysely';
import type { FindingDomain } from './findings.js';

/** Kept by the database. */
type Kept<T> = ColumnType<T, never, never>;

/** What alerts and findings are ranked and counted by. */
export interface RankColumns {
  /** Days (YYYY-MM-DD, UTC) on which it came into being open and went out of it, in turn: see the migration. */
  turns: string[];
  /** Place in `risk.options`; null where it is not ranked. */
  risk: Kept<number | null>;
  risk_score: Kept<number>;
  probability: Kept<number>;
  severity_rank: Kept<number>;
  /** The day (UTC) since which it is open; null where it is not. */
  opened_on: Kept<string | null>;
}

export interface PostureCountsTable {
  organisation_id: string;
  domain: 'dependencies' | FindingDomain;
  /** Empty: of all sources. */
  source: string;
  project_id: string;
  state: 'open' | 'open_acknowledged' | 'resolved' | 'resolved_acknowledged' | 'suppressed' | 'fixed';
  tier: 'RED' | 'YELLOW' | 'GREEN';
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown';
  /** Empty but for alerts. */
  band: 'known_exploited' | 'likely_exploitable' | 'needs_review' | 'likely_not_exploitable' | 'unanalyzed' | '';
  count: Kept<number>;
}

export interface PostureDaysTable {
  organisation_id: string;
  domain: 'dependencies' | FindingDomain;
  /** YYYY-MM-DD, UTC. */
  day: string;
  project_id: string;
  tier: 'RED' | 'YELLOW' | 'GREEN';
  arrived: number;
  departed: number;
}
