import { sql } from 'kysely';
import { normaliseRef } from '../containers/image-ref.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { notNamed } from '../http/api-error.js';
import { likelyNames } from '../http/likely-names.js';
import type { ProjectKey } from '../projects/find-project.js';

/** Refs that are compared with one that nothing has, at most. */
const maxCompared = 1000;

/** The id of a project's image that is named by its id or its ref, which is unique in a project. */
export async function namedImage(tx: Transaction, project: ProjectKey, given: string): Promise<string> {
  const ref = normaliseRef(given);
  const found = await tx
    .selectFrom('container_images')
    .select('id')
    .where(inScope(project))
    .where(({ or }) => or({ id: given, ...(ref !== null && { ref }) }))
    .execute();
  const image = found.find(({ id }) => id === given) ?? found[0];
  if (image !== undefined) return image.id;
  throw notNamed('image', await likelyImages(tx, project, ref ?? given));
}

/** The images of a scope whose refs are like a text. */
async function likelyImages(tx: Transaction, scope: Parameters<typeof inScope>[0], given: string) {
  const all = await tx
    .selectFrom('container_images')
    .select(['id', 'ref as name'])
    .where(inScope(scope))
    .orderBy(sql`position(lower(${given}) in lower(ref)) = 0`)
    .orderBy('ref')
    .limit(maxCompared)
    .execute();
  return likelyNames(given, all);
}
