import type { ColumnType, Generated } from 'kysely';
import * as z from 'zod';
import type { GrantedRole } from '../../../procedures/organisation.js';
import type { UnreadPart } from '../../../procedures/unread.js';
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
import type { ChangeSetMarks, CreatedAt, Json, JsonObject, RankColumns } from './columns.js';

export interface ProjectsTable {
  organisation_id: string;
  id: string;
  name: string;
  description: string | null;
  exposure: Exposure;
  repo: string | null;
  group_id: string | null;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  /** Since then it is gone for its organisation, and its rows are being removed. */
  removed_at: Date | null;
  /** The last alert that an unfinished recomputation of all verdicts has handled; null where none is unfinished. */
  verdicts_due_after: string | null;
  /** The last package (`packageKey`) whose alerts an unfinished assessment has handled, '' before the first; null: none. */
  alerts_due_after: string | null;
  /** When registries are asked next what they have of the packages that its alerts are about. */
  lists_due_at: ColumnType<Date, Date | undefined, Date>;
  /** What unfinished work has found, as `reachability/project-events.ts` reads it. The project's webhooks are told at its end. */
  news: ColumnType<JsonObject | null, string | null | undefined, string | null>;
}

/** Groups of projects, one level deep: a group whose parent has a parent is not written. */
export interface ProjectGroupsTable {
  organisation_id: string;
  id: string;
  /** Unique in the organisation, in any case. */
  name: string;
  parent_id: string | null;
  /** A member. */
  owner_id: string | null;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface GroupMembersTable {
  organisation_id: string;
  member_id: string;
  group_id: string;
  role: GrantedRole;
  created_at: CreatedAt;
}

/** Whether a list of dependencies is all of them; null where nothing says so. */
export type Completeness = 'complete' | 'incomplete' | null;

/** A licence by its SPDX id or, where it has none, by its name; or an SPDX expression of several. */
export type Licence = { readonly id: string } | { readonly name: string } | { readonly expression: string };

/** A digest in hexadecimal, its algorithm as CycloneDX names it (`SHA-256`). */
export interface ComponentHash {
  readonly alg: string;
  readonly content: string;
}

/** What a manifest says of one component, besides its name. */
interface ManifestColumns extends ChangeSetMarks {
  /** Keys of the components of the same source that it needs: see `componentKey` in `tech-stack/stack-package.ts`. */
  dependencies: ColumnType<string[], string[] | undefined, string[]>;
  dependencies_known: ColumnType<Completeness, Completeness | undefined, Completeness>;
  licences: ColumnType<readonly Licence[], string | undefined, string>;
  hashes: ColumnType<readonly ComponentHash[], string | undefined, string>;
  supplier: string | null;
}

export interface TechStackItemsTable extends ManifestColumns {
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
  /** Keys of what carries it in its archive; empty: not known which; null: nothing, or the source does not say. */
  bundled_in: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  /** The ranges that it asks of its dependencies, by their keys; null where the source knows none. */
  ranges: ColumnType<Readonly<Record<string, string>> | null, string | null | undefined, string | null>;
  /** Manifests of the project that ask for it; null where the source does not say. */
  asked_by: ColumnType<readonly Asker[] | null, string | null | undefined, string | null>;
  revision: Generated<number>;
  added_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** A manifest of the project, relative to the lock file, and the range that it asks for. */
export interface Asker {
  readonly file: string;
  readonly range: string | null;
  /** It does not ask, but overrides what others ask for: its text before the version, as `resolutions: "qs"`. */
  readonly override?: string | undefined;
}

/** A source whose whole manifest is known. Sources synced before there was this table have no row. */
export interface StackSourcesTable {
  organisation_id: string;
  project_id: string;
  source: string;
  /** Of the project's direct dependencies that the source names. */
  direct_known: Completeness;
  /** What it names and could not place, at most `maxUnreadParts`. */
  unread: ColumnType<readonly UnreadPart[], string | undefined, string>;
  /** One for each of `unread`: see `coverage/unread-keys.ts`. */
  unread_keys: ColumnType<string[], string[] | undefined, string[]>;
  /** The tool that writes the lock file, as `pnpm@11.21.0`. */
  tool: string | null;
  updated_at: Date;
}

/** Components of an SBOM that no feed matches: packages of operating systems, and those without a package URL. */
export interface UnmatchedComponentsTable extends ManifestColumns {
  organisation_id: string;
  project_id: string;
  source: string;
  /** Unique in its source: the canonical package URL, or kind, name and version. */
  key: string;
  /** As CycloneDX names types of components. */
  kind: string;
  purl: string | null;
  component_group: string | null;
  name: string;
  version: string | null;
  scope: Scope;
  direct: boolean | null;
  updated_at: Date;
}

/** A vulnerability that an SBOM itself states. It is no alert: those come from advisories. */
export interface ReportedVulnerabilitiesTable extends ChangeSetMarks {
  organisation_id: string;
  id: string;
  project_id: string;
  source: string;
  vulnerability_id: string;
  aliases: string[];
  /** Package URLs or names of the affected components, as the document has them. */
  affects: string[];
  /** The affected packages that feeds know, each as ecosystem, a space and the registry's name. */
  packages: string[];
  severity: Severity | null;
  ratings: Json<StatedRating[]>;
  description: string | null;
  recommendation: string | null;
  /** CycloneDX `analysis.state` and `analysis.detail`: the words of who wrote the document. */
  analysis_state: string | null;
  analysis_detail: string | null;
  updated_at: Date;
}

/** One rating that a document gives a vulnerability. */
export interface StatedRating {
  readonly source: string | null;
  readonly severity: string | null;
  /** 0 to 10 in CVSS. */
  readonly score: number | null;
  readonly method: string | null;
  readonly vector: string | null;
}

export const alertEventKind = z.enum(['resolved', 'reopened', 'tier_changed', 'verdict_changed']);

/** What happened to alerts, of the kinds that nothing else keeps: see migration 0028. */
export interface AlertEventsTable {
  organisation_id: string;
  project_id: string;
  alert_id: string;
  ordinal: Generated<number>;
  at: Date;
  /** False where only the day (UTC) is known. */
  exact: Generated<boolean>;
  kind: z.infer<typeof alertEventKind>;
  /** As in `alerts/history-events.ts`. */
  facts: Json<JsonObject>;
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
