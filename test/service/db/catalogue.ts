import { sql } from 'kysely';
import type { Database } from '../../../src/service/db/database.js';

/** The column that says whose a row of a tenants' table is. */
export function ownerColumn(table: string): string {
  return table === 'organisations' ? 'id' : 'organisation_id';
}

/** The tenants' tables, as the database itself lists them. */
export async function tenantTables(database: Database): Promise<string[]> {
  const query = sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and (c.relname = 'organisations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped))
    order by 1`;
  const { rows } = await database.system((tx) => query.execute(tx));
  return rows.map(({ name }) => name);
}

/** Tables that belong to no organisation. */
export async function commonTables(database: Database): Promise<string[]> {
  const own = await tenantTables(database);
  const query = sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`;
  const { rows } = await database.system((tx) => query.execute(tx));
  return rows.map(({ name }) => name).filter((name) => !own.includes(name));
}
