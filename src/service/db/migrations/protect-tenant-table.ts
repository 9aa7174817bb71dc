import { type Kysely, sql } from 'kysely';

/** The organisation of the transaction; null, and so equal to nothing, where none is set. */
const currentOrganisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/** Row-level security: tenants' transactions see and write rows of their own organisation, with no more than `rights`. */
export async function protectTenantTable(db: Kysely<unknown>, table: string, rights: string): Promise<void> {
  const own = `${table === 'organisations' ? 'id' : 'organisation_id'} = ${currentOrganisation}`;
  await sql.raw(`alter table ${table} enable row level security`).execute(db);
  await sql.raw(`create policy own_rows on ${table} to postern_tenant using (${own}) with check (${own})`).execute(db);
  await sql.raw(`grant ${rights} on ${table} to postern_tenant`).execute(db);
}
