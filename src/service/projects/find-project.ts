import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { notFound } from '../http/api-error.js';

/** A project's key: every tenant row has its organisation. */
export interface ProjectKey {
  readonly organisationId: string;
  readonly projectId: string;
}

type Within = Pick<Context, 'tx' | 'organisationId'>;

/** The project, or 404. */
export async function findProject({ tx, organisationId }: Within, projectId: string) {
  const project = await tx
    .selectFrom('projects')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (project === undefined) throw notFound('project');
  return project;
}

/**
 * Makes whoever else changes the project's stack or alerts wait until this transaction has ended; false where there is no
 * such project. Rows may still refer to the project meanwhile (`no key`).
 */
export async function lockProject(tx: Transaction, { organisationId, projectId }: ProjectKey): Promise<boolean> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return project !== undefined;
}

/** Locks the project, or 404. */
export async function requireProjectLock({ tx, organisationId }: Within, projectId: string): Promise<ProjectKey> {
  const key = { organisationId, projectId };
  if (!(await lockProject(tx, key))) throw notFound('project');
  return key;
}
