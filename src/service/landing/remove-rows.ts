import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { tenantFacts } from '../db/transactions.js';
import type { SetTable } from './set-tables.js';

/**
 * Removes rows within a landing: others see them until it lands. In an ordinary transaction they are deleted. `isRemoved`
 * chooses rows of the tenant by their columns.
 */
export async function removeRows(tx: Transaction, table: SetTable, isRemoved: RawBuilder<unknown>): Promise<void> {
  const own = tenantFacts(tx).changeSet;
  if (own === 0) await sql`delete from ${sql.table(table)} where ${isRemoved}`.execute(tx);
  else {
    await sql`delete from ${sql.table(table)} where ${isRemoved} and added_in = ${own}`.execute(tx);
    await asOthers(tx, own, () =>
      sql`update ${sql.table(table)} set removed_in = ${own} where ${isRemoved} and removed_in = 0`.execute(tx),
    );
  }
}

/**
 * Runs work that sees what all others see. A row cannot be marked as removed in any other way: row-level security refuses a
 * change after which the row would not be seen.
 */
export async function asOthers<T>(tx: Transaction, own: number, work: () => Promise<T>): Promise<T> {
  const setOwn = (set: number) => sql`select set_config('postern.change_set', ${String(set)}, true)`.execute(tx);
  await setOwn(0);
  const result = await work();
  await setOwn(own);
  return result;
}
