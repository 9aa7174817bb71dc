import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import { byId, inScope, recheck } from '../db/scope.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import { untilDone } from '../jobs/pages.js';

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

/** Removes the rows of projects that were deleted. */
export const removeProjectsJob = (database: Database): Job => ({
  ...{ name: 'deleted-projects', everyMs: intervalMs, shared: 'one_instance' },
  failure: 'a deleted project could not be cleared',
  run: (run) => removeDeletedProjects(database, run),
});

/**
 * Removes the rows of projects that were deleted, in short transactions. Nobody sees any of it. Safe to repeat, also by two
 * processes at once.
 */
export async function removeDeletedProjects(database: Database, run: JobRun = withoutRunner): Promise<void> {
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
      const name = sql.table(table);
      const remove = (rows: number) => sql`
        delete from ${name} where ctid = any (array(select ctid from ${name} where ${inScope(project)} limit ${rows}))
          and ${recheck(inScope(project))}`;
      await untilDone(database, { first: 200, least: 100 }, remove, run);
    }
    if (run.stopping.aborted) return;
    const { organisationId, projectId } = project;
    await database.system((tx) => tx.deleteFrom('projects').where(byId(organisationId, projectId)).execute());
  }
}
