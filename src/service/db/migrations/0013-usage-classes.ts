import { type Kysely, sql } from 'kysely';

/** Why nothing of a report that was stored before counts as searched completely. It is shown with the verdicts. */
const earlierReport = 'the usage report was made before reports said what their search missed';

/** The defaults are for the rows that are there. Later ones say it themselves. */
const statements = [
  // Functions that a feed names for an advisory. Advisories replace their own symbols when they are loaded.
  `create table symbol_records (
    record_id text not null,
    ecosystem text not null,
    package_name text not null,
    aliases text[] not null,
    symbols text[] not null,
    can_exclude boolean not null,
    feed text not null,
    content_hash bytea not null,
    primary key (ecosystem, package_name, record_id)
  )`,
  'create index symbol_records_by_record on symbol_records (record_id)',
  'create index symbol_records_by_feed on symbol_records (feed)',
  'grant select on symbol_records to postern_tenant',
  `alter table usage_dependencies add column confidence text check (confidence in ('high', 'medium', 'low')),
    add column gaps text[] default array['${earlierReport}'], add column chain jsonb not null default '[]',
    add column symbols_complete boolean not null default false, add column subpaths text[]`,
  // What is stored keeps its formula until it is computed again. That begins when the service starts.
  `alter table verdicts add column formula text not null default 'ep-1'`,
  `update projects set verdicts_due_after = '' where exists (
    select from usage_reports
    where usage_reports.organisation_id = projects.organisation_id and usage_reports.project_id = projects.id
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
