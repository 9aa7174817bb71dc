import { Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from '../database.js';
import { poolDialect } from '../dialect.js';
import { migrate } from '../migrate.js';
import { openPostgresForMigration } from '../postgres.js';
import { withStartLock } from '../start-lock.js';
import { unusableDatabase } from '../unusable-database.js';
import { copyTable } from './copy-table.js';
import { digestOf, positionOf, settleTextForm } from './table-digest.js';
import { sequenceNames, type TableShape, tableShapes } from './table-shape.js';

export interface MovedTable {
  readonly name: string;
  readonly rows: number;
}

interface Move {
  readonly from: Database;
  /** Of an empty database on a PostgreSQL server. */
  readonly databaseUrl: string;
  readonly onTable: (table: MovedTable) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies all that a database holds to an empty one on a PostgreSQL server, in one transaction there: whatever breaks it off, the
 * server's database is empty as before. Before it ends, the content of each table is compared. Memory holds a few megabytes of rows.
 *
 * @throws Error where the server cannot be used, its database holds something, or a table does not arrive as it was
 */
export async function moveDatabase({ from, databaseUrl, onTable, signal }: Move): Promise<readonly MovedTable[]> {
  const pool = openPostgresForMigration(databaseUrl);
  const to = new Kysely<unknown>({ dialect: poolDialect(pool) });
  try {
    return await withStartLock(databaseUrl, async () => {
      await requireOwnSchema(to);
      await migrate(pool);
      const moved = await from.system((source) =>
        to.transaction().execute((target) => copyAll(source, target, { onTable, signal })),
      );
      // Statistics, without which the first queries are slow.
      await sql`analyze`.execute(to);
      return moved;
    });
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await pool.end();
  }
}

async function copyAll(
  source: QueryExecutorProvider,
  target: QueryExecutorProvider,
  { onTable, signal }: Pick<Move, 'onTable' | 'signal'>,
): Promise<readonly MovedTable[]> {
  for (const side of [source, target]) await settleTextForm(side);
  const tables = await tableShapes(target);
  requireSame(await tableShapes(source), tables);
  for (const { name } of tables) await requireEmpty(name, target);
  const moved: MovedTable[] = [];
  for (const table of tables) {
    signal.throwIfAborted();
    const name = sql.table(table.name);
    // What triggers count and write down is in the source already. Foreign keys are checked.
    await sql`alter table ${name} disable trigger user`.execute(target);
    await copyTable(table, source, target);
    await sql`alter table ${name} enable trigger user`.execute(target);
    const [there, here] = [await digestOf(table, source), await digestOf(table, target)];
    if (there.rows !== here.rows || there.digest !== here.digest) {
      throw new Error(
        `The table ${table.name} did not arrive as it was (${there.rows} rows, then ${here.rows}). Nothing was written.`,
      );
    }
    moved.push({ name: table.name, rows: here.rows });
    onTable({ name: table.name, rows: here.rows });
  }
  for (const name of await sequenceNames(target)) {
    const { last_value, is_called } = await positionOf(name, source);
    await sql`select setval(${name}::regclass, ${last_value}::bigint, ${is_called})`.execute(target);
  }
  return moved;
}

/** A database of another program is not for this one. */
async function requireOwnSchema(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and to_regclass('kysely_migration') is null limit 1`.execute(db);
  if (rows[0] !== undefined) throw notEmpty(`the table ${rows[0].name}, which is none of Postern's`);
}

async function requireEmpty(table: string, db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  if (rows.length > 0) throw notEmpty(`rows in the table ${table}`);
}

function notEmpty(what: string): Error {
  return new Error(`The database at --to is not empty: it has ${what}. Create a new one and name that.`);
}

function requireSame(source: readonly TableShape[], target: readonly TableShape[]): void {
  const known = new Map(target.map(({ name, columns }) => [name, JSON.stringify(columns)]));
  const other = source.find(({ name, columns }) => known.get(name) !== JSON.stringify(columns));
  if (other !== undefined) throw new Error(`The table ${other.name} is none that this version makes: remove it first.`);
}
