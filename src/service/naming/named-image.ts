import { sql } from 'kysely';
import { normaliseRef } from '../containers/image-ref.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { notNamed } from '../http/api-error.js';
import { likelyNames } from '../http/likely-names.js';

/** Refs that are compared with one that nothing has, at most. */
const maxCompared = 1000;

/** The id of a project's image that is named by its id or its ref, which is unique in a project. */
export async function namedImage(tx: Transaction, scope: Scope, given: string): Promise<string> {
  const ref = normaliseRef(given);
  const found = await tx
    .selectFrom('container_images')
    .select('id')
    .where(isListed(scope))
    .where(({ or }) => or({ id: given, ...(ref !== null && { ref }) }))
    .execute();
  const image = found.find(({ id }) => id === given) ?? found[0];
  if (image !== undefined) return image.id;
  throw notNamed('image', await likelyImages(tx, scope, ref ?? given));
}

/** The images of a scope whose refs are like a text. */
async function likelyImages(tx: Transaction, scope: Scope, given: string) {
  const all = await tx
    .selectFrom('container_images')
    .select(['id', 'ref as name'])
    .where(isListed(scope))
    .orderBy(sql`position(lower(${given}) in lower(ref)) = 0`)
    .orderBy('ref')
    .limit(maxCompared)
    .execute();
  return likelyNames(given, all);
}
