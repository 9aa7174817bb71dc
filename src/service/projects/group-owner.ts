import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from './find-project.js';

/** A member who is notified of what happens in a group’s projects. */
export interface GroupOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Who owns the group of a project: the group's own owner, or else that of the group that it is in; null where nobody does. A
 * transaction that is bound to projects sees no members: it asks within `inAllProjects`.
 */
export async function groupOwner(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
): Promise<GroupOwner | null> {
  const { rows } = await sql<GroupOwner>`
    select member.id, member.name, member.email
    from projects
    join project_groups as held on held.organisation_id = projects.organisation_id and held.id = projects.group_id
    left join project_groups as parent on parent.organisation_id = held.organisation_id and parent.id = held.parent_id
    join members as member on member.organisation_id = projects.organisation_id
      and member.id = coalesce(held.owner_id, parent.owner_id)
    where projects.organisation_id = ${organisationId} and projects.id = ${projectId}`.execute(tx);
  return rows[0] ?? null;
}
