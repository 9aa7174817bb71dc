import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { Pace } from '../jobs/pace.js';
import { unlessOccupied } from '../jobs/pages.js';
import type { Landing } from '../landing/landing.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { recomputeNext, type VerdictCounts } from './recompute.js';

/** Alerts whose verdicts one transaction evaluates: at most some ten megabytes of evidence. */
export const verdictRows = { first: 100, most: 2_000, least: 100 };

/**
 * Goes on with a recomputation in short transactions, until it ends or `waitMs` have passed; the rest follows on its
 * own. Adds what it has done to what was done before. Another process may do the same: each step continues from the
 * place that is stored in the project.
 */
export async function finishVerdicts(
  step: Landing<never>['step'],
  key: ProjectKey,
  before: VerdictCounts,
  waitMs: number,
): Promise<VerdictCounts> {
  const pace = new Pace(verdictRows);
  const until = performance.now() + waitMs;
  let all = before;
  while (all.pending && performance.now() < until) {
    const next = await unlessOccupied(step((tx) => continueVerdicts(tx, key, pace)));
    if (next === undefined) return all;
    all = {
      created: all.created + next.created,
      updated: all.updated + next.updated,
      unchanged: all.unchanged + next.unchanged,
      pending: next.pending,
    };
  }
  return all;
}

async function continueVerdicts(tx: Transaction, key: ProjectKey, pace: Pace): Promise<VerdictCounts | undefined> {
  if (!(await lockProject(tx, key))) return undefined;
  const begun = performance.now();
  const after = await verdictsDueAfter(tx, key);
  if (after === null) return { created: 0, updated: 0, unchanged: 0, pending: false };
  const counts = await recomputeNext(tx, key, new Date(), after, pace.rows);
  pace.took(counts.created + counts.updated + counts.unchanged, performance.now() - begun);
  return counts;
}

/** Where an unfinished recomputation of the project's verdicts stands; null where there is none. */
export async function verdictsDueAfter(tx: Transaction, key: ProjectKey): Promise<string | null> {
  const project = await tx
    .selectFrom('projects')
    .select('verdicts_due_after')
    .where(byId(key.organisationId, key.projectId))
    .executeTakeFirst();
  return project?.verdicts_due_after ?? null;
}
