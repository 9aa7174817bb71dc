import { type Kysely, sql } from 'kysely';

/**
 * The kinds of weakness (CWE) that an advisory names. Advisories that are there have none until their feed is read again: it is at its
 * next load, although its content is the same. Lists by override find the few alerts
 * that have one by an index, and lists of packages by licence those whose source gives any.
 */
const statements = [
  `alter table advisories add column cwes text[] not null default '{}'`,
  `update feeds set content_hash = null, etag = null where name like 'osv:%'`,
  `create index verdicts_overridden on verdicts (organisation_id, project_id, alert_id) where override_verdict is not null`,
  `create index tech_stack_items_with_licences on tech_stack_items (organisation_id, project_id, name, version, id)
    where licences <> '[]'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
