import type * as z from 'zod';
import type { findingSeverity } from '../../../procedures/findings.js';
import type { Domain } from '../../../procedures/risk.js';
import type { band, tier } from '../../../procedures/vulnerability.js';
import type { Kept } from './columns.js';

export interface PostureCountsTable {
  organisation_id: string;
  domain: Domain;
  /** Empty: of all sources. */
  source: string;
  project_id: string;
  state: 'open' | 'open_acknowledged' | 'resolved' | 'resolved_acknowledged' | 'suppressed' | 'fixed';
  tier: z.infer<typeof tier>;
  severity: z.infer<typeof findingSeverity> | 'unknown';
  /** Empty but for alerts. */
  band: z.infer<typeof band> | '';
  count: Kept<number>;
}

export interface PostureDaysTable {
  organisation_id: string;
  domain: Domain;
  /** YYYY-MM-DD, UTC. */
  day: string;
  project_id: string;
  tier: z.infer<typeof tier>;
  arrived: number;
  departed: number;
}
