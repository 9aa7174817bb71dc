import type { Database, Transaction } from '../db/database.js';
import { byId, isLanded } from '../db/scope.js';
import { Pace } from '../jobs/pace.js';
import { type Repeated, repeat } from '../jobs/repeat.js';
import { findingRows, type ImageName, reevaluateNext } from './reevaluate.js';

/** How often images are looked for whose evaluation is not finished. */
const intervalMs = 2_000;

/** Findings that are evaluated in the transaction of the change itself. */
const firstRows = 500;

interface Image extends ImageName {
  readonly id: string;
}

/** Evaluates the first findings of an image that becomes monitored; the others follow. The caller holds the project. */
export async function beginEvaluation(tx: Transaction, image: Image): Promise<void> {
  const { last } = await reevaluateNext(tx, image, '', firstRows);
  if (last !== undefined) await keepPlace(tx, image, last);
}

/** Goes on with evaluations that are not finished, every few seconds. */
export function startEvaluations(database: Database, onError: (error: unknown) => void): Repeated {
  return repeat(intervalMs, (stopping) => continueEvaluations(database, stopping), onError);
}

/** Evaluates what is left, in short transactions. Safe to repeat, also by two processes at once. */
export async function continueEvaluations(database: Database, stopping?: AbortSignal): Promise<void> {
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
    let isUnfinished = true;
    while (isUnfinished) {
      if (stopping?.aborted === true) return;
      const limit = pace.rows;
      isUnfinished = await database.tenant(image.organisation_id, (tx) =>
        pace.measure(limit, () => evaluateNext(tx, image, limit)),
      );
    }
  }
}

/** False where the image has nothing left, or is gone. */
async function evaluateNext(tx: Transaction, image: Image, limit: number): Promise<boolean> {
  const known = await tx
    .selectFrom('container_images')
    .select('evaluated_to')
    .where(byId(image.organisation_id, image.id))
    .executeTakeFirst();
  const place = known?.evaluated_to ?? null;
  if (place === null) return false;
  const { last = null } = await reevaluateNext(tx, image, place, limit);
  await keepPlace(tx, image, last);
  return last !== null;
}

async function keepPlace(tx: Transaction, { organisation_id, id }: Image, evaluated_to: string | null): Promise<void> {
  await tx.updateTable('container_images').set({ evaluated_to }).where(byId(organisation_id, id)).execute();
}
