import type { Database } from '../db/database.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { recomputeNext } from './recompute.js';

/** Looked for this often; a recomputation that is found is then taken to its end. */
const intervalMs = 1_000;

const projectsAtOnce = 100;

/**
 * Takes every recomputation that is under way to its end: a transaction a batch, the projects in turns, so that others'
 * requests come in between. Safe beside changes and beside itself: each batch holds the project's lock and goes on from
 * where the project is then.
 */
export async function continueRecomputations(database: Database, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const projects = await database.system((tx) =>
      tx
        .selectFrom('projects')
        .select(['organisation_id as organisationId', 'id as projectId'])
        .where('verdicts_due_after', 'is not', null)
        .limit(projectsAtOnce)
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
      .where('organisation_id', '=', key.organisationId)
      .where('id', '=', key.projectId)
      .executeTakeFirstOrThrow();
    if (after !== null) await recomputeNext(tx, key, new Date(), after);
  });
}

/** Continues recomputations, those that a stop left behind too, for as long as the service runs. */
export function startRecomputations(
  database: Database,
  onError: (error: unknown) => void,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= continueRecomputations(database, stopping.signal)
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }, intervalMs).unref();
  return {
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
