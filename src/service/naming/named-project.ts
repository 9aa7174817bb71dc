import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { notNamed } from '../http/api-error.js';
import { likelyNames } from '../http/likely-names.js';

/** Names that are compared with one that nothing has, at most. */
const maxCompared = 1000;

interface Asked {
  readonly organisationId: string;
  /** An id or a name. */
  readonly given: string;
  /** A name is told its id, and not obeyed. */
  readonly idsOnly: boolean;
}

/**
 * The id of a project that is named by its id or its name, in any case: an id that exists wins. Names are unique. Row-level security
 * leaves a key that is bound to projects these alone, also among the likely ones.
 */
export async function namedProject(tx: Transaction, { organisationId, given, idsOnly }: Asked): Promise<string> {
  const found = await tx
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`(id = ${given} or lower(name) = lower(${given}))`)
    .execute();
  if (found.some(({ id }) => id === given)) return given;
  const [byName] = found;
  if (byName === undefined) throw notNamed('project', await likelyProjects(tx, organisationId, given));
  if (idsOnly) throw notNamed('project', [byName], 'ids_only');
  return byName.id;
}

async function likelyProjects(tx: Transaction, organisationId: string, given: string) {
  const all = await tx
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisationId)
    // Of more projects than are compared, those that contain the name come first.
    .orderBy(sql`position(lower(${given}) in lower(name)) = 0`)
    .orderBy(sql`lower(name)`)
    .limit(maxCompared)
    .execute();
  return likelyNames(given, all);
}
