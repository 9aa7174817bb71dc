import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { isListed } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { requireRoom } from '../limits/require-room.js';
import { findProject, type ProjectKey, requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { originOf } from '../scanners/app-scan.js';

type Targets = Pick<Handlers['dast'], 'listTargets' | 'addTarget' | 'removeTarget'>;

const byName: List = { keys: [key(sql`lower(name)`, 'text'), key('id', 'text')], appeared: sql`created_at` };

const columns = ['id', 'url', 'name', 'environment', 'last_scanned_at'] as const;

export const targetHandlers: Targets = {
  async listTargets(ctx, { project_id, group, ...paging }) {
    await requireAsked(ctx, project_id);
    const scope = await listScope(ctx, { project_id, group });
    const targets = ctx.tx
      .selectFrom('dast_targets')
      .select([...columns, 'project_id'])
      .where(isListed(scope));
    const page = await loadPage(ctx, byName, paging, targets);
    const projectOf = await nameProjects(ctx, project_id, page.items);
    const items = page.items.map(({ project_id: of, ...target }) => ({ ...target, ...projectOf({ project_id: of }) }));
    return { ...page, items };
  },

  async addTarget(ctx, { project_id, url: given, name, environment = null }) {
    await findProject(ctx, project_id);
    const fields = { url: targetAddress(given), name, environment };
    await requireRoom(ctx.tx, ctx.organisationId, 'targets');
    const target = await ctx.tx
      .insertInto('dast_targets')
      .values({ organisation_id: ctx.organisationId, id: newId('tgt'), project_id, ...fields })
      .onConflict((taken) => taken.columns(['organisation_id', 'project_id', 'url']).doNothing())
      .returning(columns)
      .executeTakeFirstOrThrow(() => conflict('target_known'));
    await ctx.audit({ action: 'dast_target.add', target: { kind: 'target', id: target.id }, after: fields });
    return target;
  },

  async removeTarget(ctx, { project_id, target_id }) {
    await findProject(ctx, project_id);
    const before = await ctx.tx
      .deleteFrom('dast_targets')
      .where(({ and }) => and({ organisation_id: ctx.organisationId, project_id, id: target_id }))
      .returning(['url', 'name', 'environment'])
      .executeTakeFirstOrThrow(() => notFound('target'));
    await ctx.audit({ action: 'dast_target.remove', target: { kind: 'target', id: target_id }, before });
    return { id: target_id, deleted: true };
  },
};

/** The target, or 404. */
export async function findTarget({ tx, organisationId }: Context, projectId: string, id: string) {
  return tx
    .selectFrom('dast_targets')
    .select(columns)
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, id }))
    .executeTakeFirstOrThrow(() => notFound('target'));
}

/** Sets when the targets on these origins were last scanned. */
export async function markScanned(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  origins: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const targets = await tx
    .selectFrom('dast_targets')
    .select(['id', 'url'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId }))
    .execute();
  const ids = targets.filter(({ url }) => origins.has(originOf(url) ?? '')).map(({ id }) => id);
  await tx
    .updateTable('dast_targets')
    .set({ last_scanned_at: now })
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute();
}

/** A target's address without user, password and fragment: they are no part of the place, and a record holds no secret. */
function targetAddress(given: string): string {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}
