import type { ColumnType, Generated } from 'kysely';
import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import type {
  AlertResolution,
  Exposure,
  Scope,
  Severity,
  Tier,
  Usage,
  VerdictBand,
} from '../../../shared/vulnerability-terms.js';
import type { CreatedAt, RankColumns } from './columns.js';

export interface ProjectsTable {
  organisation_id: string;
  id: string;
  name: string;
  description: string | null;
  exposure: Exposure;
  repo: string | null;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  /** The last alert that an unfinished recomputation of all verdicts has handled; null where none is unfinished. */
  verdicts_due_after: string | null;
}

export interface TechStackItemsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  /** `manual`, or the manifest the item was synced from. */
  source: string;
  ecosystem: Ecosystem;
  /** As the manifest spells it. */
  name: string;
  /** As the registry compares names; advisories are matched by it. */
  package_name: string;
  version: string;
  scope: Scope;
  direct: boolean | null;
  /** The maintainers' deprecation notice, where the manifest carries it. */
  deprecated: string | null;
  revision: Generated<number>;
  added_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface AlertsTable extends RankColumns {
  organisation_id: string;
  id: string;
  project_id: string;
  /** The CVE, or the advisory's id where it has none. With the package it identifies the alert. */
  vulnerability_id: string;
  ecosystem: Ecosystem;
  package_name: string;
  /** As a manifest spells it; null where no package of the stack has had it since this is kept. */
  name: string | null;
  advisory_ids: string[];
  cves: string[];
  title: string;
  versions: string[];
  safe_version: string | null;
  severity: Severity | null;
  cvss_version: string | null;
  cvss_score: number | null;
  cvss_vector: string | null;
  epss: number | null;
  epss_percentile: number | null;
  /** YYYY-MM-DD. */
  epss_date: string | null;
  kev_added: string | null;
  kev_due: string | null;
  kev_ransomware: boolean | null;
  malicious: boolean;
  tier: Tier;
  /** 0 RED, 1 YELLOW, 2 GREEN; kept by the database. */
  tier_rank: ColumnType<number, never, never>;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_note: string | null;
  first_seen_at: CreatedAt;
  resolved_at: Date | null;
  /** Why it is resolved; null while it is not. */
  resolution: AlertResolution | null;
  /** The effective score and band of the alert's verdict, including an override; null while there is no verdict. */
  effective_priority: number | null;
  verdict_band: VerdictBand | null;
  /** The usage class in the verdict's evidence. */
  usage: Usage | null;
}
