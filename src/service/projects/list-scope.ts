import type { Context } from '../api/handler.js';
import { tenantOf } from '../auth/caller.js';
import type { Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { findGroup } from './find-group.js';

/** What a list is asked for: one project, those of a group, or, without either, all. */
interface Asked {
  readonly project_id?: string | undefined;
  readonly group?: string | undefined;
}

type Within = Pick<Context, 'tx' | 'organisationId' | 'caller'>;

/**
 * What a list or a posture is about: one project, those of a group and of the groups in it, or all; 404 where there is no such
 * group. Of a key that is bound to projects the query names them: row-level security alone would let it read, and leave out, the rows of
 * all others first.
 */
export async function listScope(ctx: Within, { project_id: projectId, group }: Asked): Promise<Scope> {
  const { organisationId } = ctx;
  if (group === undefined) {
    const among = projectId === undefined ? (tenantOf(ctx.caller).projectIds ?? undefined) : undefined;
    return { organisationId, projectId, among };
  }
  const { id, subgroups } = await findGroup(ctx, group);
  const groupIds = [id, ...subgroups];
  if (projectId === undefined) return { ...(await listScope(ctx, {})), groupIds };
  await requireInGroup(ctx, projectId, groupIds);
  return { organisationId, projectId };
}

/** Of a group that it is not in, a project is as one that does not exist. */
async function requireInGroup({ tx, organisationId }: Within, projectId: string, groupIds: readonly string[]) {
  await tx
    .selectFrom('projects')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, id: projectId }))
    .where('group_id', 'in', groupIds)
    .executeTakeFirstOrThrow(() => notFound('project'));
}
