import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';

export interface DueProject extends ProjectKey {
  /** As the database writes it: a Date has no microseconds. */
  readonly dueAt: string;
}

const maxProjects = 100;

/** Projects whose packages registries are to be asked for, one of each organisation first, then a second one. */
export async function dueProjects(tx: Transaction, now: Date): Promise<readonly DueProject[]> {
  const { rows } = await sql<DueProject>`
    select organisation_id as "organisationId", id as "projectId", lists_due_at::text as "dueAt" from projects
    where lists_due_at <= ${now} and removed_at is null
    order by row_number() over (partition by organisation_id order by lists_due_at, id), lists_due_at, id
    limit ${maxProjects}`.execute(tx);
  return rows;
}

/** The project is due at another time, unless its stack or alerts have changed meanwhile. */
export async function postpone(
  tx: Transaction,
  { organisationId, projectId, dueAt }: DueProject,
  until: Date,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ lists_due_at: until })
    .where(byId(organisationId, projectId))
    .where(sql<boolean>`lists_due_at = ${dueAt}::timestamptz`)
    .execute();
}

/** The project's stack or alerts have changed: what registries have of its packages is to be known soon. */
export async function listSoon(tx: Transaction, { organisationId, projectId }: ProjectKey): Promise<void> {
  await tx
    .updateTable('projects')
    // Later than what a turn under way has read, however long ago the change began.
    .set({ lists_due_at: sql<Date>`clock_timestamp()` })
    .where(byId(organisationId, projectId))
    .execute();
}
