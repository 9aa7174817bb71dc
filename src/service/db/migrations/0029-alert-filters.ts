import { type Kysely, sql } from 'kysely';

/** As in 0008: the order of a list of alerts. */
const worstFirst = `(resolved_at is not null), effective_priority desc nulls last, (kev_added is null), tier_rank,
  epss desc nulls last, cvss_score desc nulls last, package_name collate "C", vulnerability_id collate "C", ecosystem collate "C"`;

/** For lists by class of use, and of what no upgrade mends: few alerts of a large project may pass either. */
const statements = [
  `create index alerts_of_usage on alerts (organisation_id, project_id, usage, ${worstFirst}) where usage is not null`,
  `create index alerts_without_fix on alerts (organisation_id, project_id, ${worstFirst}) where safe_version is null`,
  // With the name beside the others, packages are searched by a part of it in the index alone.
  `alter table alerts drop constraint alerts_organisation_id_project_id_ecosystem_package_name_vu_key`,
  `alter table alerts add constraint alerts_once
    unique (organisation_id, project_id, ecosystem, package_name, vulnerability_id) include (name)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
