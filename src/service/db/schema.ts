import type { ChangeSetsTable } from './tables/change-sets.js';
import type {
  ContainerImagesTable,
  DastTargetsTable,
  FindingNamesTable,
  FindingsTable,
  LastReportsTable,
  NewestReportsTable,
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
  RegistryVersionsTable,
  SymbolRecordsTable,
  UnreadRecordsTable,
} from './tables/intelligence.js';
import type {
  ApiKeysTable,
  AuditLogTable,
  AuditOutboxTable,
  AuditSinkTable,
  EmailDomainsTable,
  IdempotencyKeysTable,
  IdentitiesTable,
  InvitesTable,
  IssuersTable,
  KnownAddressesTable,
  MembersTable,
  OrganisationsTable,
  PasswordResetsTable,
  ReceiptKeysTable,
  ServiceKeysTable,
  SessionsTable,
} from './tables/organisations.js';
import type { PostureCountsTable, PostureDaysTable, StackCountsTable } from './tables/posture.js';
import type {
  AlertEventsTable,
  AlertsTable,
  GroupMembersTable,
  ProjectGroupsTable,
  ProjectsTable,
  ReportedVulnerabilitiesTable,
  StackSourcesTable,
  TechStackItemsTable,
  UnmatchedComponentsTable,
} from './tables/projects.js';
import type { SearchedNamesTable } from './tables/search.js';
import type { UploadsTable } from './tables/uploads.js';
import type { UsageDependenciesTable, UsageReportsTable, VerdictsTable } from './tables/verdicts.js';
import type { VexDocumentsTable, VexProposalsTable } from './tables/vex.js';
import type { WebhookDeliveriesTable, WebhooksTable } from './tables/webhooks.js';

export interface Schema {
  organisations: OrganisationsTable;
  members: MembersTable;
  issuers: IssuersTable;
  identities: IdentitiesTable;
  email_domains: EmailDomainsTable;
  sessions: SessionsTable;
  known_addresses: KnownAddressesTable;
  password_resets: PasswordResetsTable;
  receipt_keys: ReceiptKeysTable;
  service_keys: ServiceKeysTable;
  invites: InvitesTable;
  api_keys: ApiKeysTable;
  audit_log: AuditLogTable;
  audit_sink: AuditSinkTable;
  audit_outbox: AuditOutboxTable;
  idempotency_keys: IdempotencyKeysTable;
  group_members: GroupMembersTable;
  project_groups: ProjectGroupsTable;
  projects: ProjectsTable;
  searched_names: SearchedNamesTable;
  change_sets: ChangeSetsTable;
  tech_stack_items: TechStackItemsTable;
  stack_sources: StackSourcesTable;
  unmatched_components: UnmatchedComponentsTable;
  reported_vulnerabilities: ReportedVulnerabilitiesTable;
  alerts: AlertsTable;
  alert_events: AlertEventsTable;
  usage_reports: UsageReportsTable;
  usage_dependencies: UsageDependenciesTable;
  verdicts: VerdictsTable;
  uploads: UploadsTable;
  vex_documents: VexDocumentsTable;
  vex_proposals: VexProposalsTable;
  container_images: ContainerImagesTable;
  dast_targets: DastTargetsTable;
  scan_jobs: ScanJobsTable;
  findings: FindingsTable;
  newest_reports: NewestReportsTable;
  last_reports: LastReportsTable;
  finding_names: FindingNamesTable;
  posture_counts: PostureCountsTable;
  posture_days: PostureDaysTable;
  stack_counts: StackCountsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  advisories: AdvisoriesTable;
  advisory_packages: AdvisoryPackagesTable;
  symbol_records: SymbolRecordsTable;
  epss: EpssTable;
  kev: KevTable;
  package_health: PackageHealthTable;
  feeds: FeedsTable;
  unread_records: UnreadRecordsTable;
  registry_lookups: RegistryLookupsTable;
  registry_versions: RegistryVersionsTable;
}
