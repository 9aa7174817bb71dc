import { type QueryExecutorProvider, sql } from 'kysely';
import type { TableShape } from './table-shape.js';

/** What a table holds, whatever the order of its rows. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** How values become text; it must be the same on both sides. Lasts until the end of the transaction. */
export async function settleTextForm(db: QueryExecutorProvider): Promise<void> {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
  };
  for (const [name, value] of Object.entries(settings))
    await sql`select set_config(${name}, ${value}, true)`.execute(db);
}

/** The number of rows, and the sum of the MD5 of each: it finds what was lost or changed, and is not made to resist an attacker. */
export async function digestOf({ name, columns }: TableShape, db: QueryExecutorProvider): Promise<TableDigest> {
  const row = sql.join(columns.map((column) => sql.ref(column.name)));
  const half = (from: number) => sql`coalesce(sum(('x' || substr(hash, ${sql.lit(from)}, 15))::bit(60)::bigint), 0)`;
  const { rows } = await sql<TableDigest>`
    select count(*) as rows, ${half(1)}::text || ' ' || ${half(16)}::text as digest
    from (select md5(row(${row})::text) as hash from ${sql.table(name)}) each_row`.execute(db);
  return rows[0] ?? { rows: 0, digest: '' };
}

/** Where a sequence is. */
export async function positionOf(name: string, db: QueryExecutorProvider) {
  const { rows } = await sql<{ last_value: string; is_called: boolean }>`
    select last_value::text, is_called from ${sql.table(name)}`.execute(db);
  return rows[0] ?? { last_value: '1', is_called: false };
}
