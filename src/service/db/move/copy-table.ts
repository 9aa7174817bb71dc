import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Column, TableShape } from './table-shape.js';

/** Bytes of values that are read at once, and rows. A row alone may be larger. */
const batchBytes = 4 * 1024 * 1024;
const maxBatchRows = 5_000;
const firstBatchRows = 100;

type Row = Readonly<Record<string, string | null>>;

const alias = (at: number) => sql.ref(`c${at}`);
const typeOf = ({ type }: Column) => sql.raw(type);

/**
 * Copies the rows of a table as their types write and read them as text, which loses nothing: also microseconds, and digits that
 * JavaScript's numbers do not hold. Both sides are in a transaction.
 */
export async function copyTable(
  { name, columns }: TableShape,
  from: QueryExecutorProvider,
  to: QueryExecutorProvider,
): Promise<void> {
  const written = columns.filter(({ is_generated }) => !is_generated);
  const fields = written.map((column, at) => sql`${sql.ref(column.name)}::text as ${alias(at)}`);
  const insert = insertInto(name, written);
  await sql`declare moved no scroll cursor for select ${sql.join(fields)} from ${sql.table(name)}`.execute(from);
  for (let limit = firstBatchRows; ; ) {
    const { rows } = await sql<Row>`fetch ${sql.lit(limit)} from moved`.execute(from);
    if (rows.length > 0) await insert(rows).execute(to);
    if (rows.length < limit) break;
    limit = nextLimit(limit, sizeOf(rows));
  }
  await sql`close moved`.execute(from);
}

function insertInto(table: string, columns: readonly Column[]): (rows: readonly Row[]) => RawBuilder<unknown> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  const values = sql.join(columns.map((column, at) => sql`${alias(at)}::${typeOf(column)}`));
  const aliases = sql.join(columns.map((_, at) => alias(at)));
  return (rows) => {
    const arrays = columns.map((_, at) => sql`${rows.map((row) => row[`c${at}`] ?? null)}::text[]`);
    return sql`insert into ${sql.table(table)} (${names}) overriding system value
      select ${values} from unnest(${sql.join(arrays)}) as batch (${aliases})`;
  };
}

function sizeOf(rows: readonly Row[]): number {
  let size = 0;
  for (const row of rows) for (const value of Object.values(row)) size += value?.length ?? 0;
  return size;
}

/** Towards as many rows as make a batch; at most four times as many as before, because the next ones may be larger. */
function nextLimit(limit: number, size: number): number {
  const fitting = Math.floor((limit * batchBytes) / Math.max(size, 1));
  return Math.max(1, Math.min(fitting, limit * 4, maxBatchRows));
}
