import type { Kept } from './columns.js';
import type { FindingDomain } from './findings.js';

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
