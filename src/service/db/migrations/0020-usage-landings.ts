import { type Kysely, sql } from 'kysely';

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/** As of the tables of 0014. */
const hidden = '(select hidden_sets())::bigint[]';
export const isThere = `case when added_in = 0 and removed_in = 0 then true
  else added_in <> all (${hidden}) and (removed_in = 0 or removed_in = any (${hidden})) end`;

/** A usage report lands, too: what it says of each package belongs to a change set. */
const statements = [
  `alter table usage_dependencies
    add column added_in bigint not null default 0, add column removed_in bigint not null default 0`,
  'alter table usage_dependencies alter column added_in set default own_version()',
  `alter table usage_dependencies drop constraint usage_dependencies_pkey,
    add primary key (organisation_id, project_id, ecosystem, package_name, version, added_in)`,
  'create index usage_dependencies_removed on usage_dependencies (removed_in) where removed_in <> 0',
  'drop policy own_rows on usage_dependencies',
  `create policy own_rows on usage_dependencies to postern_tenant
    using (organisation_id = ${organisation} and ${isThere}) with check (organisation_id = ${organisation})`,
  'grant update on usage_dependencies to postern_tenant',
  // Compressing a large report takes longer than all else of its row.
  'alter table usage_reports alter column report set storage external',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
