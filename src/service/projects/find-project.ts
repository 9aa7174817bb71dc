import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { ProjectOccupied } from '../db/project-occupied.js';
import { byId } from '../db/scope.js';
import { tenantFacts } from '../db/transactions.js';
import { notFound } from '../http/api-error.js';

/** A project's key. Every row of a tenant names its organisation. */
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
    .where(byId(organisationId, projectId))
    .executeTakeFirstOrThrow(() => notFound('project'));
  return project;
}

/** The project that a list asks for exists, or 404. A list over all projects asks for none. */
export async function requireAsked(within: Within, projectId: string | undefined): Promise<void> {
  if (projectId !== undefined) await findProject(within, projectId);
}

/**
 * Locks the project until the transaction ends: others that change its stack or alerts wait. False where it does not
 * exist. `for no key update` still lets others insert rows that refer to the project. While a landing writes to the project,
 * which takes many transactions, those of others end here and are tried again.
 */
export async function lockProject(tx: Transaction, { organisationId, projectId }: ProjectKey): Promise<boolean> {
  const { lockedProjects } = tenantFacts(tx);
  if (lockedProjects.has(projectId)) return true;
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where(byId(organisationId, projectId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (project === undefined) return false;
  const other = await tx
    .selectFrom('change_sets')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId }))
    .where(sql<boolean>`state in ('open', 'undoing') and id <> own_change_set()`)
    .executeTakeFirst();
  if (other !== undefined) throw new ProjectOccupied();
  lockedProjects.add(projectId);
  return true;
}

/** Locks the project, or 404. */
export async function requireProjectLock({ tx, organisationId }: Within, projectId: string): Promise<ProjectKey> {
  const key = { organisationId, projectId };
  if (!(await lockProject(tx, key))) throw notFound('project');
  return key;
}
