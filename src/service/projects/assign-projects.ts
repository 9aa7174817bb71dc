import { sql } from 'kysely';
import { changesOf } from '../api/cleared.js';
import type { Context, Handlers } from '../api/handler.js';
import { holdGroup, nameGroups } from './find-group.js';

/** Projects that one statement moves: each leaves a row with its own parameters in the audit log. */
const batchSize = 500;

/** Projects that are not there, any more perhaps, are named and stop no others. */
export const assignProjects: Handlers['groups']['assign'] = async (ctx, { project_ids, clear, ...given }) => {
  const { group } = changesOf(given, clear);
  const groupId = typeof group === 'string' ? (await holdGroup(ctx, group)).id : null;
  const ids = [...new Set(project_ids)];
  const { rows } = await sql<{ id: string }>`
    select id from projects where organisation_id = ${ctx.organisationId} and id = any (${ids}::text[])`.execute(
    ctx.tx,
  );
  const known = new Set(rows.map(({ id }) => id));
  const moved = await moveProjects(ctx, [...known], groupId);
  return { moved, unchanged: known.size - moved, not_found: ids.filter((id) => !known.has(id)) };
};

/** Moves those that are elsewhere; answers how many these were. Each has the move in its audit log. */
export async function moveProjects(ctx: Context, ids: readonly string[], groupId: string | null): Promise<number> {
  const { tx, organisationId, now, auditAll } = ctx;
  let count = 0;
  for (let at = 0; at < ids.length; at += batchSize) {
    const wanted = sql<boolean>`organisation_id = ${organisationId} and id = any (${ids.slice(at, at + batchSize)}::text[])`;
    const elsewhere = sql<boolean>`group_id is distinct from ${groupId}`;
    const moving = await tx
      .selectFrom('projects')
      .select(['id', 'group_id'])
      .where(wanted)
      .where(elsewhere)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    await tx
      .updateTable('projects')
      .set((row) => ({ group_id: groupId, revision: row('revision', '+', 1), updated_at: now }))
      .where(wanted)
      .where(elsewhere)
      .execute();
    const nameOf = await nameGroups(ctx, [groupId, ...moving.map(({ group_id }) => group_id)]);
    await auditAll(
      moving.map(({ id, group_id }) => ({
        ...{ action: 'project.update', target: { kind: 'project', id } },
        ...{ before: { group: nameOf(group_id) }, after: { group: nameOf(groupId) } },
      })),
    );
    count += moving.length;
  }
  return count;
}
