import { highestRole } from '../../procedures/permissions.js';
import type { Database } from '../db/database.js';
import { byId } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { type Member, type Role, tenantOf } from './caller.js';

/**
 * The member's role in the organisation, or in the group that the project is in if that may more; 404 where the member
 * sees no such project.
 */
export async function roleInProject(database: Database, caller: Member, projectId: string): Promise<Role> {
  const { group_id } = await database.read(
    tenantOf(caller),
    (tx) =>
      tx
        .selectFrom('projects')
        .select('group_id')
        .where(byId(caller.organisationId, projectId))
        .executeTakeFirstOrThrow(() => notFound('project')),
    { maxWaitMs: database.requestWaitMs },
  );
  const granted = caller.grants.filter(({ groupId }) => groupId === group_id).map(({ role }) => role);
  return highestRole([caller.role, ...granted]);
}
