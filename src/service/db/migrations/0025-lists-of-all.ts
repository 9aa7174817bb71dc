import { type Kysely, sql } from 'kysely';

/** As the lists of one project are ordered (0008 and 0009); the id decides between two projects with the same row. */
const alertOrder = `(resolved_at is not null), effective_priority desc nulls last, (kev_added is null), tier_rank,
  epss desc nulls last, cvss_score desc nulls last, package_name collate "C", vulnerability_id collate "C", ecosystem collate "C", id`;
const findingOrder = `state_rank, (kev_added is null), tier_rank, probability desc, severity_rank, sort_name, id`;

/** The lists over all projects of an organisation, with the filters that have an index within one project too. */
const statements = [
  // With the usage, so that a filter by it reads no row that it leaves out.
  `create index alerts_of_all on alerts (organisation_id, ${alertOrder}, usage)`,
  `create index alerts_of_all_of_band on alerts (organisation_id, verdict_band, ${alertOrder})`,
  `create index alerts_of_all_of_tier on alerts (organisation_id, tier_rank, ${alertOrder})`,
  `create index alerts_of_all_acknowledged on alerts (organisation_id, ${alertOrder}) where acknowledged_at is not null`,
  'create index alerts_by_usage on alerts (organisation_id, usage, project_id) where resolved_at is null and usage is not null',
  `create index findings_of_all on findings (organisation_id, domain, ${findingOrder})`,
  `create index findings_of_all_of_severity on findings (organisation_id, domain, severity, ${findingOrder})`,
  'create index scan_jobs_of_all on scan_jobs (organisation_id, domain, hosted, queued_at desc, id desc)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
