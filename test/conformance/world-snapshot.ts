import { sql } from 'kysely';
import type { Database } from '../../src/service/db/database.js';

/**
 * Keeps all rows of an organisation, and answers what puts them back: that takes a tenth of the time of a new world, and the
 * world is the same to the last id.
 */
export async function snapshotOf(database: Database, organisationId: string): Promise<() => Promise<void>> {
  const tables = await database.system(async (tx) => {
    const { rows } = await sql<{ name: string; columns: string[]; key: string }>`
      select c.table_name as name, array_agg(c.column_name::text) as columns,
        case when bool_or(c.column_name = 'organisation_id') then 'organisation_id' else 'id' end as key
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      group by c.table_name
      having bool_or(c.column_name = 'organisation_id') or c.table_name = 'organisations'`.execute(tx);
    await sql`create schema kept`.execute(tx);
    for (const { name, key } of rows) {
      const kept = sql.id('kept', name);
      await sql`create table ${kept} as select * from ${sql.table(name)} where ${sql.ref(key)} = ${organisationId}`.execute(
        tx,
      );
    }
    return rows;
  });
  return () =>
    database.system(async (tx) => {
      // Neither foreign keys nor counts are checked or kept: the rows agree as they are.
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const { name, columns, key } of tables) {
        const [table, kept, names] = [
          sql.table(name),
          sql.id('kept', name),
          sql.join(columns.map((each) => sql.id(each))),
        ];
        await sql`delete from ${table} where ${sql.ref(key)} = ${organisationId}`.execute(tx);
        await sql`insert into ${table} (${names}) overriding system value select ${names} from ${kept}`.execute(tx);
      }
    });
}
