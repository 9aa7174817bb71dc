import type {
  ContainerImagesTable,
  DastTargetsTable,
  FindingNamesTable,
  FindingsTable,
  ScanJobsTable,
} from './tables/findings.js';
import type {
  AdvisoriesTable,
  AdvisoryPackagesTable,
  EpssTable,
  FeedsTable,
  KevTable,
  PackageHealthTable,
  RegistryLookupsTable,
  UnreadRecordsTable,
} from './tables/intelligence.js';
import type {
  ApiKeysTable,
  AuditLogTable,
  IdempotencyKeysTable,
  InvitesTable,
  MembersTable,
  OrganisationsTable,
  SessionsTable,
} from './tables/organisations.js';
import type { PostureCountsTable, PostureDaysTable } from './tables/posture.js';
import type { AlertsTable, ProjectsTable, TechStackItemsTable } from './tables/projects.js';
import type { UsageDependenciesTable, UsageReportsTable, VerdictsTable } from './tables/verdicts.js';
import type { WebhookDeliveriesTable, WebhooksTable } from './tables/webhooks.js';

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
  finding_names: FindingNamesTable;
  posture_counts: PostureCountsTable;
  posture_days: PostureDaysTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  advisories: AdvisoriesTable;
  advisory_packages: AdvisoryPackagesTable;
  epss: EpssTable;
  kev: KevTable;
  package_health: PackageHealthTable;
  feeds: FeedsTable;
  unread_records: UnreadRecordsTable;
  registry_lookups: RegistryLookupsTable;
}
