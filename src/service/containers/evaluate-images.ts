import type { Database, Transaction } from '../db/database.js';
import { byId, isLanded } from '../db/scope.js';
import { type Job, withoutRunner } from '../jobs/job.js';
import { Pace } from '../jobs/pace.js';
import { type InTransaction, inPages } from '../jobs/pages.js';
import { findingRows, type ImageName, type Reevaluated, reevaluateNext } from './reevaluate.js';

/** How often images are looked for whose evaluation is not finished. */
const intervalMs = 2_000;

/** Findings that are evaluated in the transaction of the change itself. */
const firstRows = 500;

interface Image extends ImageName {
  readonly id: string;
}

/** Evaluates the first findings of an image that becomes monitored; the others follow. The caller holds the project. */
export async function beginEvaluation(tx: Transaction, image: Image): Promise<void> {
  const { next } = await reevaluateNext(tx, image, '', firstRows);
  if (next !== undefined) await keepPlace(tx, image, next);
}

/** Goes on with evaluations that are not finished. */
export const evaluateImagesJob = (database: Database): Job => ({
  ...{ name: 'image-evaluations', everyMs: intervalMs, shared: 'one_instance' },
  failure: 'a monitored image could not be evaluated',
  run: (run) => continueEvaluations(database, run),
});

/** Evaluates what is left, in short transactions. Safe to repeat, also by two processes at once. */
export async function continueEvaluations(database: Database, run = withoutRunner): Promise<void> {
  const images = await database.system((tx) =>
    tx
      .selectFrom('container_images')
      .select(['organisation_id', 'project_id', 'ref', 'id'])
      .where('evaluated_to', 'is not', null)
      .where(isLanded('container_images'))
      .execute(),
  );
  const pace = new Pace(findingRows);
  for (const image of images) {
    const transact: InTransaction = (work) => database.tenant(image.organisation_id, work);
    const evaluate = (tx: Transaction, _: unknown, rows: number) => evaluateNext(tx, image, rows);
    for await (const { changed } of inPages(transact, pace, evaluate, run)) run.done(changed);
  }
}

/** The next findings of an image, which may be gone. */
async function evaluateNext(tx: Transaction, image: Image, limit: number): Promise<Reevaluated> {
  const known = await tx
    .selectFrom('container_images')
    .select('evaluated_to')
    .where(byId(image.organisation_id, image.id))
    .executeTakeFirst();
  const place = known?.evaluated_to ?? null;
  if (place === null) return { changed: 0, next: undefined };
  const page = await reevaluateNext(tx, image, place, limit);
  await keepPlace(tx, image, page.next ?? null);
  return page;
}

async function keepPlace(tx: Transaction, { organisation_id, id }: Image, evaluated_to: string | null): Promise<void> {
  await tx.updateTable('container_images').set({ evaluated_to }).where(byId(organisation_id, id)).execute();
}
