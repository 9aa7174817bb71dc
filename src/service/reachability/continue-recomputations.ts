import type { Database } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type Repeated, repeat } from '../jobs/repeat.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { recomputeNext } from './recompute.js';

/** How often unfinished recomputations are looked for. */
const intervalMs = 1_000;

const projectBatchSize = 100;

/**
 * Finishes every recomputation that has begun. Each batch is one transaction, and the projects alternate, so that
 * requests run in between. Safe while projects change, and in several processes at once: each batch holds the project's
 * lock and continues from the place stored in the project.
 */
export async function continueRecomputations(database: Database, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const projects = await database.system((tx) =>
      tx
        .selectFrom('projects')
        .select(['organisation_id as organisationId', 'id as projectId'])
        .where('verdicts_due_after', 'is not', null)
        .limit(projectBatchSize)
        .execute(),
    );
    if (projects.length === 0) return;
    for (const project of projects) {
      if (signal?.aborted === true) return;
      await continueOne(database, project);
    }
  }
}

async function continueOne(database: Database, key: ProjectKey): Promise<void> {
  await database.tenant(key.organisationId, async (tx) => {
    if (!(await lockProject(tx, key))) return;
    const { verdicts_due_after: after } = await tx
      .selectFrom('projects')
      .select('verdicts_due_after')
      .where(byId(key.organisationId, key.projectId))
      .executeTakeFirstOrThrow();
    if (after !== null) await recomputeNext(tx, key, new Date(), after);
  });
}

/** Continues recomputations for as long as the service runs, also those that an earlier process began. */
export function startRecomputations(database: Database, onError: (error: unknown) => void): Repeated {
  return repeat(intervalMs, (stopping) => continueRecomputations(database, stopping), onError);
}
