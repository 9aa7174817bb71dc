import { sql } from 'kysely';
import type { Database, Tenant, Transaction } from '../db/database.js';
import { byId, inScope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { type LandingProject, landSet, newLease } from './change-set.js';
import type { Landing } from './landing.js';

/** It takes too long for one transaction, or another landing writes to the project. */
class NotAtOnce extends Error {}

/**
 * Tries a landing as one transaction: most uploads are small, and to open a set, to take turns and to commit each step takes
 * longer than to write them. Undefined, and nothing is left of it, where that takes longer than `database.atOnceMs`, or
 * where another landing is under way in the project: then it has to go in steps.
 */
export async function landAtOnce<Answer>(
  database: Database,
  project: LandingProject,
  tenant: Tenant,
  write: (landing: Landing<Answer>) => Promise<unknown>,
): Promise<{ readonly answer: unknown } | undefined> {
  if (database.atOnceMs === 0) return undefined;
  const work = async (tx: Transaction) => {
    const begun = performance.now();
    let set: number | undefined;
    const step = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      set ??= await openSet(tx, project);
      if (performance.now() - begun > database.atOnceMs) throw new NotAtOnce();
      return work(tx);
    };
    const answer = await write({ step, finish: step });
    if (set !== undefined) await landSet(tx, project.organisationId, set);
    return { answer };
  };
  try {
    return await database.tenant(tenant, work, { maxWaitMs: database.requestWaitMs });
  } catch (error) {
    if (error instanceof NotAtOnce) return undefined;
    throw error;
  }
}

/**
 * From now on the transaction writes to a set: what it replaces may have versions of earlier landings beside it, which are
 * swept. Whether another set is under way is asked in a statement of its own, because one may open while the lock is awaited.
 */
async function openSet(tx: Transaction, { organisationId, projectId, uploadId }: LandingProject): Promise<number> {
  const locked = await sql`
    select from projects where ${byId(organisationId, projectId)} for no key update`.execute(tx);
  if (locked.rows.length === 0) throw notFound('project');
  const other = await tx
    .selectFrom('change_sets')
    .select('id')
    .where(inScope({ organisationId, projectId }))
    .where('state', '<>', 'landed')
    .executeTakeFirst();
  if (other !== undefined) throw new NotAtOnce();
  const { rows } = await sql<{ id: number }>`
    with opened as (
      insert into change_sets (organisation_id, project_id, upload_id, state, lease_until)
      values (${organisationId}, ${projectId}, ${uploadId ?? null}, 'open', ${newLease}) returning id
    )
    select id, set_config('postern.change_set', id::text, true) from opened`.execute(tx);
  const [opened] = rows;
  if (opened === undefined) throw new Error('no set was opened');
  return opened.id;
}
