import type { ColumnType, Generated } from 'kysely';
import type * as z from 'zod';
import type { findingState, scanStatus } from '../../../procedures/findings.js';
import type { Domain } from '../../../procedures/risk.js';
import type { FindingSeverity, Tier } from '../../../shared/vulnerability-terms.js';
import type { ChangeSetMarks, Json, JsonObject, Kept, RankColumns } from './columns.js';

export interface ContainerImagesTable extends ChangeSetMarks {
  organisation_id: string;
  id: string;
  project_id: string;
  /** Normalised, with registry and tag. */
  ref: string;
  digest: string | null;
  os: string | null;
  monitored: Generated<boolean>;
  /** Language runtime that the image's history or environment names, as `node 12.22.6`. */
  runtime: string | null;
  /** Diff ids of the layers, base first. */
  layers: string[];
  /** The annotations that name the base image (OCI image specification). */
  labels: Json<Record<string, string>>;
  /** How many of `layers` belong to the base; null where the report does not say. */
  base_layers: number | null;
  /** The layers of another scanned image begin with the layers of this one. */
  stood_on: Generated<boolean>;
  dockerfile_path: string | null;
  dockerfile: string | null;
  scanned_at: Date;
  /** The last finding that an unfinished evaluation has handled; null where none is unfinished. */
  evaluated_to: Generated<string | null>;
}

export interface DastTargetsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  url: string;
  name: string;
  environment: string | null;
  last_scanned_at: Date | null;
}

/** The domains that scanners' reports belong to; alerts are the fourth, `dependencies`. */
export type FindingDomain = Exclude<Domain, 'dependencies'>;

export interface ScanJobsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  domain: FindingDomain;
  /** Queued here for a runner. False for the scan of an uploaded report. */
  hosted: Generated<boolean>;
  status: z.infer<typeof scanStatus>;
  /** Source repository, target URL or image ref: scans of the same source are compared. */
  source: string;
  mode: string | null;
  tool: string | null;
  runner: string | null;
  error: string | null;
  content_hash: Buffer | null;
  /** Open findings of the source by tier, after the scan. */
  red: Generated<number>;
  yellow: Generated<number>;
  green: Generated<number>;
  queued_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** As in `src/service/findings/sightings.ts`. */
interface Sighting {
  readonly tool: string;
  readonly scope: readonly string[];
  readonly at: string;
  readonly suppressed?: true;
  readonly gone?: true;
  readonly held?: true;
}

/** The latest time that a report on a part of a source carried. Older reports do not count. */
export interface NewestReportsTable {
  organisation_id: string;
  project_id: string;
  domain: FindingDomain;
  source: string;
  tool: string;
  scope: string[];
  part: string;
  reported_at: Date;
}

/** When a tool, within a scope, last reported on a source. */
export interface LastReportsTable {
  organisation_id: string;
  project_id: string;
  domain: FindingDomain;
  source: string;
  tool: string;
  scope: string[];
  reported_at: Date;
}

export interface FindingsTable extends RankColumns, ChangeSetMarks {
  organisation_id: string;
  id: string;
  project_id: string;
  domain: FindingDomain;
  /** As in scan_jobs. */
  source: string;
  tool: string;
  /** SHA-256 of what makes the finding the same one in the next scan of its source by its tool. */
  identity: Buffer;
  rule_id: string;
  title: string;
  severity: FindingSeverity;
  tier: Tier;
  /** 0 RED, 1 YELLOW, 2 GREEN; kept by the database. */
  tier_rank: ColumnType<number, never, never>;
  state: z.infer<typeof findingState>;
  /** Rule and name, for the order of lists; kept by the database. */
  sort_name: ColumnType<string, never, never>;
  /** 0 open, 1 suppressed, 2 fixed; kept by the database. The lists' index uses it instead of the state. */
  state_rank: ColumnType<number, never, never>;
  /** What a scan must have searched to show that the finding is gone: `os` or `library` of an image; else empty. */
  part: Generated<string>;
  /** Who reports it. Empty for a finding of an earlier version, which did not keep that. */
  sightings: Json<Sighting[]>;
  /** What each tool says of it, where several see it; null where `details` has all. */
  reports: Json<JsonObject> | null;
  /** Modes of the scans that reported it. Only a scan of one of these can fix it. Empty where there are no modes. */
  modes: Generated<string[]>;
  /** The CVE (or other id) of a vulnerability in a container. */
  cve: string | null;
  epss: number | null;
  kev_added: string | null;
  /** Ids of vulnerabilities that it is about, besides the rule. The database keeps `finding_names` equal to it. */
  named: Generated<string[]>;
  /** Further facts, with a schema for each domain. */
  details: Json<JsonObject>;
  /** Of what a scan writes besides states and times. Null where that was changed since, or not kept. */
  facts_hash: Buffer | null;
  first_seen_at: Date;
  /** When it was written; reports that have confirmed it since are in `last_reports`. */
  last_seen_at: Date;
  fixed_at: Date | null;
}

/** The findings that name a vulnerability, to be found by an index. Kept by the database. */
export interface FindingNamesTable {
  organisation_id: Kept<string>;
  name: Kept<string>;
  finding_id: Kept<string>;
}
