import { type Kysely, sql } from 'kysely';
import { isThere } from './0020-usage-landings.js';

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/** A VEX document lands with its proposals. Neither is ever replaced by another version of itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['vex_documents', 'vex_proposals']) {
    const statements = [
      `alter table ${table} add column added_in bigint not null default 0, add column removed_in bigint not null default 0`,
      `alter table ${table} alter column added_in set default own_version()`,
      `create index ${table}_removed on ${table} (removed_in) where removed_in <> 0`,
      `drop policy own_rows on ${table}`,
      `create policy own_rows on ${table} to postern_tenant
        using (organisation_id = ${organisation} and ${isThere}) with check (organisation_id = ${organisation})`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
}
