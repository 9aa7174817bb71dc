import { sql } from 'kysely';
import type { Transaction } from './database.js';
import { isBoundToProjects } from './transactions.js';

/**
 * Runs work that sees all projects of the organisation, also in a transaction that is bound to some of them: only for
 * numbers that are the organisation's, such as what its plan includes. Nothing that is read here may reach the caller.
 */
export async function inAllProjects<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  if (!isBoundToProjects(tx)) return work();
  const set = (name: string, value: ReturnType<typeof sql>) =>
    sql`select set_config(${name}, ${value}, true)`.execute(tx);
  await set('postern.bound_to', sql`current_setting('postern.project_ids')`);
  await set('postern.project_ids', sql`''`);
  const result = await work();
  await set('postern.project_ids', sql`current_setting('postern.bound_to')`);
  return result;
}
