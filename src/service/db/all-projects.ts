import { sql } from 'kysely';
import type { Transaction } from './database.js';

/**
 * Runs work that sees all projects of the organisation, also in a transaction of a key that is bound to some of them: only for
 * numbers that are the organisation's, such as what its plan includes. Nothing that is read here may reach the caller.
 */
export async function inAllProjects<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ own: string | null }>`
    select current_setting('postern.project_ids', true) as own`.execute(tx);
  const own = rows[0]?.own ?? '';
  if (own === '') return work();
  const bind = (projects: string) => sql`select set_config('postern.project_ids', ${projects}, true)`.execute(tx);
  await bind('');
  const result = await work();
  await bind(own);
  return result;
}
