import { isEcosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import { Pace } from '../jobs/pace.js';
import { type InTransaction, unlessOccupied } from '../jobs/pages.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { verdictRows } from '../reachability/finish-verdicts.js';
import { emitProjectEvents, noProjectEvents } from '../reachability/project-events.js';
import { recomputeNext } from '../reachability/recompute.js';
import { assessPage, pageWeights } from './reassess-project.js';

/** How often unfinished work is looked for. */
const intervalMs = 1_000;

const projectBatchSize = 100;

/** What one process knows of how much fits into a transaction. */
interface Paces {
  readonly packages: Pace;
  readonly verdicts: Pace;
}

function newPaces(): Paces {
  return { packages: new Pace(pageWeights), verdicts: new Pace(verdictRows) };
}

/**
 * Finishes what is unfinished: assessments of a stack, and recomputations of verdicts. Each step is one transaction, and the
 * projects alternate, so that requests run in between. Safe while projects change, and in several processes at once: each step
 * holds the project's lock and continues from the place stored in the project.
 */
export async function continueAssessments(
  database: Database,
  { stopping, done }: JobRun = withoutRunner,
): Promise<void> {
  const paces = newPaces();
  for (;;) {
    const projects = await database.system((tx) =>
      tx
        .selectFrom('projects')
        .select(['organisation_id as organisationId', 'id as projectId'])
        .where(({ or, eb }) =>
          or([
            eb('alerts_due_after', 'is not', null),
            eb('verdicts_due_after', 'is not', null),
            eb('news', 'is not', null),
          ]),
        )
        // Those that a landing holds are looked at again when it has ended.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('change_sets')
                .select('change_sets.id')
                .whereRef('change_sets.organisation_id', '=', 'projects.organisation_id')
                .whereRef('change_sets.project_id', '=', 'projects.id')
                .where('state', 'in', ['open', 'undoing']),
            ),
          ),
        )
        .limit(projectBatchSize)
        .execute(),
    );
    if (projects.length === 0) return;
    for (const project of projects) {
      if (stopping.aborted) return;
      await unlessOccupied(database.tenant(project.organisationId, (tx) => continueProject(tx, project, paces)));
      done(1);
    }
  }
}

/** Finishes one project's work, unless a landing takes the project: then `continueAssessments` does. */
export async function finishAssessment(step: InTransaction, project: ProjectKey): Promise<void> {
  const paces = newPaces();
  while ((await unlessOccupied(step((tx) => continueProject(tx, project, paces)))) === true);
}

/** One step. False where nothing was left to do. */
async function continueProject(tx: Transaction, key: ProjectKey, { packages, verdicts }: Paces): Promise<boolean> {
  if (!(await lockProject(tx, key))) return false;
  const begun = performance.now();
  const now = new Date();
  const due = await tx
    .selectFrom('projects')
    .select(['alerts_due_after', 'verdicts_due_after', 'news'])
    .where(byId(key.organisationId, key.projectId))
    .executeTakeFirstOrThrow();
  if (due.alerts_due_after !== null) {
    const page = await assessPage(tx, key, now, 'all', placeOf(due.alerts_due_after), packages.rows);
    const next = page.next === undefined || typeof page.next === 'number' ? null : packageKey(page.next);
    await tx
      .updateTable('projects')
      .set({ alerts_due_after: next })
      .where(byId(key.organisationId, key.projectId))
      .execute();
    await emitProjectEvents(tx, key, page.news, now);
    packages.took(page.weight, performance.now() - begun);
  } else if (due.verdicts_due_after !== null) {
    const { created, updated, unchanged } = await recomputeNext(tx, key, now, due.verdicts_due_after, verdicts.rows);
    verdicts.took(created + updated + unchanged, performance.now() - begun);
  } else {
    await emitProjectEvents(tx, key, noProjectEvents, now);
    return false;
  }
  return true;
}

/** The package that a `packageKey` is of; undefined for the empty one, before the first package. */
function placeOf(key: string): PackageKey | undefined {
  const ecosystem = key.slice(0, key.indexOf(' '));
  return isEcosystem(ecosystem) ? { ecosystem, package_name: key.slice(ecosystem.length + 1) } : undefined;
}

/** Finishes unfinished work, also that of an earlier process. It counts its steps. */
export const assessmentsJob = (database: Database): Job => ({
  ...{ name: 'assessments', everyMs: intervalMs, shared: 'one_instance' },
  failure: 'alerts and verdicts could not be brought up to date',
  run: (run) => continueAssessments(database, run),
});
