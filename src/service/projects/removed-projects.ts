import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.js';
import { byId, inScope, recheck } from '../db/scope.js';
import { Pace } from '../jobs/pace.js';
import { type Repeated, repeat } from '../jobs/repeat.js';
import type { ProjectKey } from './find-project.js';

/** How often projects that were deleted are looked for. */
const intervalMs = 5_000;

/** Tables with many rows of a project. What is left goes with the project (`on delete cascade`). */
const largeTables = [
  'findings',
  'vex_proposals',
  'alert_events',
  'alerts',
  'tech_stack_items',
  'unmatched_components',
  'reported_vulnerabilities',
  'usage_dependencies',
  'scan_jobs',
  'uploads',
] as const;

/** Removes the rows of projects that were deleted, every few seconds. */
export function startProjectRemovals(database: Database, onError: (error: unknown) => void): Repeated {
  return repeat(intervalMs, (stopping) => removeDeletedProjects(database, stopping), onError);
}

/**
 * Removes the rows of projects that were deleted, in short transactions. Nobody sees any of it. Safe to repeat, also by two
 * processes at once.
 */
export async function removeDeletedProjects(database: Database, stopping?: AbortSignal): Promise<void> {
  const projects = await database.system((tx) =>
    tx
      .selectFrom('projects')
      .select(['organisation_id as organisationId', 'id as projectId'])
      .where('removed_at', 'is not', null)
      .orderBy('removed_at')
      .execute(),
  );
  for (const project of projects) {
    for (const table of largeTables) {
      const pace = new Pace({ first: 200, least: 100 });
      let removed: bigint;
      do {
        if (stopping?.aborted === true) return;
        removed = await database.system((tx) =>
          pace.measure(pace.rows, () => removeSome(tx, table, project, pace.rows)),
        );
      } while (removed > 0n);
    }
    const { organisationId, projectId } = project;
    await database.system((tx) => tx.deleteFrom('projects').where(byId(organisationId, projectId)).execute());
  }
}

async function removeSome(
  tx: Transaction,
  table: (typeof largeTables)[number],
  project: ProjectKey,
  limit: number,
): Promise<bigint> {
  const name = sql.table(table);
  const { numAffectedRows = 0n } = await sql`
    delete from ${name} where ctid = any (array(select ctid from ${name} where ${inScope(project)} limit ${limit}))
      and ${recheck(inScope(project))}`.execute(tx);
  return numAffectedRows;
}
