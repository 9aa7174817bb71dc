import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.js';
import { inPages, untilDone } from '../jobs/pages.js';
import { isSet, newLease, type SetKey } from './change-set.js';
import { countTables, type SetTable, setTableNames, setTables } from './set-tables.js';

/**
 * Takes back what a set has changed, in short transactions, and forgets the set. Nobody has seen it, and nobody sees it
 * meanwhile. Safe to repeat, also by two processes at once. As the system, because a tenant does not see the rows.
 */
export async function undoSet(database: Database, set: SetKey): Promise<void> {
  if (!(await database.system((tx) => beginUndo(tx, set)))) return;
  // First what was added: a finding that was replaced is there once at any time.
  for (const table of setTableNames) await deleteAdded(database, set, table);
  for (const table of setTableNames) await restoreRemoved(database, set, table);
  await database.system(async (tx) => {
    for (const table of countTables) {
      await sql`
        delete from ${sql.table(table)} where organisation_id = ${set.organisationId} and change_set = ${set.id}`.execute(
        tx,
      );
    }
    await tx.deleteFrom('change_sets').where(isSet(set)).execute();
  });
}

/** False where there is nothing to undo: the set has landed, is gone, or has never had its turn. */
async function beginUndo(tx: Transaction, set: SetKey): Promise<boolean> {
  await tx.deleteFrom('change_sets').where(isSet(set)).where('state', '=', 'waiting').execute();
  return isUndone(tx, set);
}

async function isUndone(tx: Transaction, set: SetKey): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('change_sets')
    .set({ state: 'undoing', lease_until: newLease })
    .where(isSet(set))
    .where('state', '<>', 'landed')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** No index has the set of a row, since every insert would pay for it. So the organisation's rows are walked in order. */
async function deleteAdded(database: Database, set: SetKey, table: SetTable): Promise<void> {
  const [name, key] = [sql.table(table), sql.join(setTables[table].map((column) => sql.ref(column)))];
  const deleteNext = async (tx: Transaction, before: Deleted | undefined, limit: number) => {
    await isUndone(tx, set);
    const rest = before?.next === undefined ? sql`` : sql`and (${key}) > (${sql.join(before.next)})`;
    const { rows } = await sql<Record<string, string>>`
      select ${key} from ${name} where organisation_id = ${set.organisationId} ${rest}
      order by ${key} offset ${limit} limit 1`.execute(tx);
    const [end] = rows;
    const next = end && setTables[table].map((column) => end[column] ?? '');
    await sql`
      delete from ${name} where organisation_id = ${set.organisationId} ${rest}
        ${next === undefined ? sql`` : sql`and (${key}) <= (${sql.join(next)})`} and added_in = ${set.id}`.execute(tx);
    return { next };
  };
  const limits = { first: 1_000, least: 500, most: 20_000 };
  for await (const _ of inPages((work) => database.system(work), limits, deleteNext));
}

interface Deleted {
  /** The key of the last row that was looked at. */
  readonly next: readonly string[] | undefined;
}

async function restoreRemoved(database: Database, set: SetKey, table: SetTable): Promise<void> {
  const name = sql.table(table);
  const restore = (rows: number) => sql`
    update ${name} set removed_in = 0
    where ctid = any (array(
      select ctid from ${name} where organisation_id = ${set.organisationId} and removed_in = ${set.id} limit ${rows}
    )) and removed_in = ${set.id}`;
  await untilDone(database, { first: 400, least: 200 }, restore);
}
