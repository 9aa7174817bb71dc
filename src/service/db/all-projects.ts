import { sql } from 'kysely';
import type { Transaction } from './database.js';
import { boundProjects } from './transactions.js';

/** Projects as migrations/bound-keys.ts reads them. Ids have no commas. */
export const projectList = (projectIds: readonly string[]): string => `,${projectIds.join()},`;

/**
 * Runs work that sees all projects of the organisation, also in a transaction of a key that is bound to some of them: only for
 * numbers that are the organisation's, such as what its plan includes. Nothing that is read here may reach the caller.
 */
export async function inAllProjects<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const projectIds = boundProjects(tx);
  if (projectIds === null) return work();
  const bind = (projects: string) => sql`select set_config('postern.project_ids', ${projects}, true)`.execute(tx);
  await bind('');
  const result = await work();
  await bind(projectList(projectIds));
  return result;
}
