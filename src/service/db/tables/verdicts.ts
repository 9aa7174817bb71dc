import type { Generated, JSONColumnType } from 'kysely';
import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import type {
  Confidence,
  OverrideVerdict,
  ReportedUsage,
  Scope,
  VerdictBand,
} from '../../../shared/vulnerability-terms.js';
import type { ChainStep, ImportSite, StoredEvidence } from '../../../verdict/evidence.js';
import type { FormulaName } from '../../../verdict/formula.js';
import type { ChangeSetMarks, CreatedAt, Json, JsonObject } from './columns.js';

export interface UsageReportsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  /** Orders a project's reports: the highest is the newest. */
  ordinal: Generated<number>;
  /** SHA-256 of the report's canonical JSON. */
  content_hash: Buffer;
  /** Tool and version. */
  analyser: string;
  generated_at: Date;
  complete: boolean;
  report: Json<JsonObject>;
  uploaded_by: string;
  received_at: CreatedAt;
}

/** What the newest report of a project says about each dependency. The next report replaces it. */
export interface UsageDependenciesTable extends ChangeSetMarks {
  organisation_id: string;
  project_id: string;
  ecosystem: Ecosystem;
  package_name: string;
  version: string;
  usage: ReportedUsage;
  scope: Scope;
  symbols: string[];
  symbols_complete: boolean;
  subpaths: string[] | null;
  confidence: Confidence | null;
  gaps: string[] | null;
  chain: JSONColumnType<ChainStep[]>;
  /** Import sites to show, production code first. */
  sites: JSONColumnType<ImportSite[]>;
  production_sites: number;
  all_sites: number;
  paths: JSONColumnType<string[][]>;
}

export interface VerdictsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  alert_id: string;
  machine_score: number;
  machine_band: VerdictBand;
  evidence: JSONColumnType<StoredEvidence>;
  /** SHA-256 of the formula's name and the evidence. Where it is equal, nothing is written. */
  evidence_hash: Buffer;
  /** The formula that the score and the band were computed by. */
  formula: Generated<FormulaName>;
  computed_at: Date;
  override_verdict: OverrideVerdict | null;
  override_reason: string | null;
  override_by: string | null;
  override_at: Date | null;
  override_expires_at: Date | null;
  /** The evidence that the setter saw, to notice later changes. */
  override_signature: Buffer | null;
  revision: Generated<number>;
}
