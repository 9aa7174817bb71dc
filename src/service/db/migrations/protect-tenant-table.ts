import { type Kysely, sql } from 'kysely';

/** The organisation of the transaction. Null where none is set, and null is equal to nothing. */
const currentOrganisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/** Row-level security: a tenant's transaction sees and writes only rows of its organisation, with the given `rights`. */
export async function protectTenantTable(db: Kysely<unknown>, table: string, rights: string): Promise<void> {
  const own = `${table === 'organisations' ? 'id' : 'organisation_id'} = ${currentOrganisation}`;
  await sql.raw(`alter table ${table} enable row level security`).execute(db);
  await sql.raw(`create policy own_rows on ${table} to postern_tenant using (${own}) with check (${own})`).execute(db);
  await sql.raw(`grant ${rights} on ${table} to postern_tenant`).execute(db);
}
