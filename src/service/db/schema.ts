import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { OverrideVerdict, VerdictBand } from '../../verdict/band.js';
import type { ImportSite, StoredEvidence } from '../../verdict/evidence.js';
import type { ReportedUsage } from '../../verdict/usage.js';
import type { Affected } from '../matching/affected.js';
import type { Notification } from '../webhooks/notification.js';

/** Set by the database when the row is made. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Json<T extends object | null> = JSONColumnType<T>;
type JsonObject = Record<string, unknown>;

/** Tenants' tables: each row has `organisation_id`, row-level security, and a key (organisation_id, id). */
interface OrganisationsTable {
  id: string;
  name: string;
  contact_email: string | null;
  plan: 'Free' | 'Business' | 'Enterprise';
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

interface MembersTable {
  organisation_id: string;
  id: string;
  /** Lower case; one address signs in to one organisation. */
  email: string;
  name: string;
  role: 'admin' | 'member';
  /** argon2id, PHC string. */
  password_hash: string;
  created_at: CreatedAt;
  last_seen_at: Date | null;
}

interface SessionsTable {
  organisation_id: string;
  /** The token's `jti`. */
  id: string;
  member_id: string;
  created_at: CreatedAt;
  expires_at: Date;
}

interface InvitesTable {
  organisation_id: string;
  id: string;
  email: string;
  role: 'admin' | 'member';
  /** SHA-256 of the token. */
  token_hash: Buffer;
  invited_by: string;
  created_at: CreatedAt;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
}

interface ApiKeysTable {
  organisation_id: string;
  id: string;
  name: string;
  scope: 'ReadOnly' | 'ReadWrite';
  /** SHA-256 of the whole key. */
  key_hash: Buffer;
  last_four: string;
  created_by: string;
  created_at: CreatedAt;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

interface AuditLogTable {
  organisation_id: string;
  id: string;
  at: CreatedAt;
  actor_kind: 'member' | 'api_key' | 'operator' | 'system';
  actor_id: string;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string;
  before: Json<JsonObject | null>;
  after: Json<JsonObject | null>;
  ip: string | null;
  request_id: string | null;
}

interface IdempotencyKeysTable {
  organisation_id: string;
  /** SHA-256 of caller, procedure and the header's value. */
  key_hash: Buffer;
  /** SHA-256 of the request, to tell a replay from a reuse. */
  request_hash: Buffer;
  status: number;
  /** Null where the answer holds a secret: it is not kept. */
  response: Json<JsonObject | null>;
  created_at: CreatedAt;
}

interface ProjectsTable {
  organisation_id: string;
  id: string;
  name: string;
  description: string | null;
  exposure: 'internet' | 'internal' | 'isolated' | 'unknown';
  repo: string | null;
  revision: Generated<number>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  /** The alert up to which a recomputation of all verdicts has come; null where none is under way. */
  verdicts_due_after: string | null;
}

type EcosystemName = 'npm' | 'PyPI' | 'Go' | 'crates.io' | 'Maven' | 'RubyGems' | 'NuGet' | 'Packagist';

interface TechStackItemsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  /** `manual`, or the manifest the item was synced from. */
  source: string;
  ecosystem: EcosystemName;
  /** As the manifest spells it. */
  name: string;
  /** As the registry compares it; what advisories are matched by. */
  package_name: string;
  version: string;
  scope: 'runtime' | 'development' | 'optional';
  direct: boolean | null;
  /** The maintainers' deprecation notice, where the manifest carries it. */
  deprecated: string | null;
  revision: Generated<number>;
  added_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

interface AlertsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  /** The CVE, or the advisory's own id where it has none: with the package, the alert's identity. */
  vulnerability_id: string;
  ecosystem: EcosystemName;
  package_name: string;
  advisory_ids: string[];
  cves: string[];
  title: string;
  versions: string[];
  safe_version: string | null;
  severity: 'low' | 'moderate' | 'high' | 'critical' | null;
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
  tier: 'RED' | 'YELLOW' | 'GREEN';
  /** 0 RED, 1 YELLOW, 2 GREEN; kept by the database. */
  tier_rank: ColumnType<number, never, never>;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_note: string | null;
  first_seen_at: CreatedAt;
  resolved_at: Date | null;
  /** The effective score and band of the alert's verdict, an override counted in; null while there is no verdict. */
  effective_priority: number | null;
  verdict_band: VerdictBand | null;
}

interface UsageReportsTable {
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

/** What the newest report of a project says of each dependency; replaced with it. */
interface UsageDependenciesTable {
  organisation_id: string;
  project_id: string;
  ecosystem: EcosystemName;
  package_name: string;
  version: string;
  usage: ReportedUsage;
  scope: 'runtime' | 'development' | 'optional';
  symbols: string[];
  /** The sites to show, those of production code first. */
  sites: JSONColumnType<ImportSite[]>;
  production_sites: number;
  all_sites: number;
  paths: JSONColumnType<string[][]>;
}

interface VerdictsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  alert_id: string;
  machine_score: number;
  machine_band: VerdictBand;
  evidence: JSONColumnType<StoredEvidence>;
  /** SHA-256 of the evidence: equal means nothing to write. */
  evidence_hash: Buffer;
  computed_at: Date;
  override_verdict: OverrideVerdict | null;
  override_reason: string | null;
  override_by: string | null;
  override_at: Date | null;
  override_expires_at: Date | null;
  /** What the setter saw, to tell whether it has changed since. */
  override_signature: Buffer | null;
  revision: Generated<number>;
}

interface ContainerImagesTable {
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
  /** Those that name the base image (OCI image spec, annotations). */
  labels: Json<Record<string, string>>;
  /** How many of `layers` are the base's; null where the report does not tell. */
  base_layers: number | null;
  /** The layers of another scanned image begin with its own. */
  stood_on: Generated<boolean>;
  dockerfile_path: string | null;
  dockerfile: string | null;
  scanned_at: Date;
}

interface DastTargetsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  url: string;
  name: string;
  environment: string | null;
  last_scanned_at: Date | null;
}

/** The domains that scanners' reports belong to; alerts are the fourth, `dependencies`. */
export type FindingDomain = 'code' | 'running_app' | 'containers';

interface ScanJobsTable {
  organisation_id: string;
  id: string;
  project_id: string;
  domain: FindingDomain;
  /** Queued here for a runner, as opposed to an uploaded report's. */
  hosted: Generated<boolean>;
  status: 'queued' | 'running' | 'done' | 'failed';
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

interface FindingsTable {
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
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  tier: 'RED' | 'YELLOW' | 'GREEN';
  /** 0 RED, 1 YELLOW, 2 GREEN; kept by the database. */
  tier_rank: ColumnType<number, never, never>;
  state: 'open' | 'fixed' | 'suppressed';
  /** 0 open, 1 suppressed, 2 fixed; kept by the database. The index of lists has it, and not the state. */
  state_rank: ColumnType<number, never, never>;
  /** Modes of the scans that have told of it: only a scan of one of these can find it fixed. Empty where there are no modes. */
  modes: Generated<string[]>;
  /** The CVE (or other id) of a vulnerability in a container. */
  cve: string | null;
  epss: number | null;
  kev_added: string | null;
  /** What only the finding's domain knows. */
  details: Json<JsonObject>;
  first_seen_at: Date;
  last_seen_at: Date;
  fixed_at: Date | null;
}

interface WebhooksTable {
  organisation_id: string;
  id: string;
  project_id: string;
  kind: 'slack' | 'googlechat' | 'teams' | 'discord' | 'generic';
  name: string;
  /** Whole: chat services put their secret into it. */
  url: string;
  /** Signing key of a generic webhook (Standard Webhooks). */
  secret: Buffer | null;
  events: string[];
  enabled: Generated<boolean>;
  revision: Generated<number>;
  created_at: CreatedAt;
}

interface WebhookDeliveriesTable {
  organisation_id: string;
  id: string;
  webhook_id: string;
  event: string;
  payload: JSONColumnType<Notification>;
  status: 'queued' | 'retrying' | 'delivered' | 'failed';
  attempts: Generated<number>;
  created_at: CreatedAt;
  /** When the latest attempt began. */
  attempted_at: Date | null;
  /** Null once it is over. While an attempt runs, when another process may take it over. */
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  last_error: string | null;
}

/** Intelligence belongs to no organisation: tenants read it, only the system writes it. */
interface AdvisoriesTable {
  id: string;
  modified: Date;
  published: Date | null;
  withdrawn: Date | null;
  summary: string;
  cves: string[];
  aliases: string[];
  severity: 'low' | 'moderate' | 'high' | 'critical' | null;
  cvss_version: string | null;
  cvss_score: number | null;
  cvss_vector: string | null;
  malicious: boolean;
  informational: 'unmaintained' | 'unsound' | 'notice' | null;
  references: string[];
  /** SHA-256 of the facts above and the affected packages: equal means nothing to write. */
  content_hash: Buffer;
}

interface AdvisoryPackagesTable {
  advisory_id: string;
  ecosystem: EcosystemName;
  package_name: string;
  affected: JSONColumnType<Affected>;
  /** Vulnerable functions, where the advisory names them. */
  symbols: string[];
}

interface EpssTable {
  cve: string;
  probability: number;
  percentile: number;
  /** YYYY-MM-DD. */
  scored_on: string;
  model: string;
}

interface KevTable {
  cve: string;
  date_added: string;
  due_date: string | null;
  ransomware: boolean;
}

interface PackageHealthTable {
  ecosystem: EcosystemName;
  package_name: string;
  deprecated: string | null;
  /** YYYY-MM-DD. */
  unmaintained_since: string | null;
  replacement: string | null;
  source: string;
}

interface FeedsTable {
  /** `osv:<file or ecosystem>`, `epss`, `kev`. */
  name: string;
  version: string | null;
  /** What the feed says of its own age. */
  published_at: Date | null;
  loaded_at: Date;
  records: number;
  /** SHA-256 of the content last loaded whole. */
  content_hash: Buffer | null;
  etag: string | null;
}

export interface Schema {
  organisations: OrganisationsTable;
  members: MembersTable;
  sessions: SessionsTable;
  invites: InvitesTable;
  api_keys: ApiKeysTable;
  audit_log: AuditLogTable;
  idempotency_keys: IdempotencyKeysTable;
  projects: ProjectsTable;
  tech_stack_items: TechStackItemsTable;
  alerts: AlertsTable;
  usage_reports: UsageReportsTable;
  usage_dependencies: UsageDependenciesTable;
  verdicts: VerdictsTable;
  container_images: ContainerImagesTable;
  dast_targets: DastTargetsTable;
  scan_jobs: ScanJobsTable;
  findings: FindingsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  advisories: AdvisoriesTable;
  advisory_packages: AdvisoryPackagesTable;
  epss: EpssTable;
  kev: KevTable;
  package_health: PackageHealthTable;
  feeds: FeedsTable;
}
