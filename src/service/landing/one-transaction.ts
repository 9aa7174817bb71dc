import { sql } from 'kysely';
import type { Database, Tenant, Transaction } from '../db/database.js';
import { byId, inScope } from '../db/scope.js';
import { tenantFacts } from '../db/transactions.js';
import { notFound } from '../http/api-error.js';
import type { LandingProject } from './change-set.js';
import type { Landing } from './landing.js';

/** It takes too long for one transaction, or another landing writes to the project. */
class NeedsSteps extends Error {}

/**
 * Tries a landing as one transaction: most uploads are small, and to open a set, to take turns and to commit each step takes
 * longer than to write them. Undefined, and nothing is left of it, where that takes longer than `database.oneTransactionMs`, or
 * where another landing is under way in the project: then it has to go in steps.
 */
export async function landInOneTransaction<Answer>(
  database: Database,
  project: LandingProject,
  tenant: Tenant,
  write: (landing: Landing<Answer>) => Promise<unknown>,
): Promise<{ readonly answer: unknown } | undefined> {
  if (database.oneTransactionMs === 0) return undefined;
  const work = async (tx: Transaction) => {
    const begun = performance.now();
    let begins: Promise<void> | undefined;
    const step = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
      begins ??= begin(tx, project);
      await begins;
      if (performance.now() - begun > database.oneTransactionMs) throw new NeedsSteps();
      return work(tx);
    };
    return { answer: await write({ step, finish: step }) };
  };
  try {
    return await database.tenant(tenant, work, { maxWaitMs: database.requestWaitMs });
  } catch (error) {
    if (error instanceof NeedsSteps) return undefined;
    throw error;
  }
}

/**
 * Takes the project, and a number for the rows: one that comes in the place of another must not have the key of a version
 * that an earlier landing has replaced and that is not swept yet. Whether a landing is under way is asked in a statement of
 * its own, because one may open while the lock is awaited.
 */
async function begin(tx: Transaction, { organisationId, projectId }: LandingProject): Promise<void> {
  const locked = await sql`
    select set_config('postern.version', nextval('change_sets_id_seq')::text, true)
    from projects where ${byId(organisationId, projectId)} for no key update`.execute(tx);
  if (locked.rows.length === 0) throw notFound('project');
  const other = await tx
    .selectFrom('change_sets')
    .select('id')
    .where(inScope({ organisationId, projectId }))
    .where('state', '<>', 'landed')
    .executeTakeFirst();
  if (other !== undefined) throw new NeedsSteps();
  tenantFacts(tx).lockedProjects.add(projectId);
}
