import { sql } from 'kysely';
import { changesOf } from '../api/cleared.js';
import type { Context, Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, invalidField, notFound, requireRevision } from '../http/api-error.js';
import { answerPage, asOf, isNew } from '../http/page.js';
import { requireRoom } from '../limits/require-room.js';
import { assignProjects, moveProjects } from './assign-projects.js';
import { changedFields } from './changed-fields.js';
import { findGroup, findGroupById } from './find-group.js';
import { groupsByName, loadGroups } from './group-row.js';

const target = (id: string) => ({ kind: 'group', id });

export const groupHandlers: Handlers['groups'] = {
  async list(ctx, paging) {
    const { tx, organisationId } = ctx;
    const isMeant = isNew(groupsByName, paging) ?? sql<boolean>`true`;
    const [as_of, { total }, rows] = await Promise.all([
      asOf(ctx, paging),
      tx
        .selectFrom('project_groups as held')
        .select(sql<number>`count(*)::int`.as('total'))
        .where('organisation_id', '=', organisationId)
        .where(isMeant)
        .executeTakeFirstOrThrow(),
      loadGroups(tx, organisationId, { isMeant, paging }),
    ]);
    return answerPage(ctx, paging, { as_of, total, rows });
  },

  async create(ctx, { name, parent, owner_id = null }) {
    const { tx, organisationId, now, audit } = ctx;
    await requireRoom(tx, organisationId, 'groups');
    const id = newId('grp');
    const parent_id = typeof parent === 'string' ? await parentOf(ctx, parent) : null;
    await requireMember(ctx, owner_id);
    const fields = { name, parent_id, owner_id };
    await tx
      .insertInto('project_groups')
      .values({ organisation_id: organisationId, id, ...fields, created_at: now, updated_at: now })
      .onConflict((taken) => taken.expression(sql`organisation_id, lower(name)`).doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => conflict('name_taken'));
    await audit({ action: 'group.create', target: target(id), after: fields });
    return oneGroup(ctx, id);
  },

  async update(ctx, { group: given, expected_revision, clear, ...changed }) {
    const { parent, ...fields } = changesOf(changed, clear);
    const { tx, organisationId, now, audit } = ctx;
    const { id } = await findGroup(ctx, given);
    const parent_id = typeof parent === 'string' ? await parentOf(ctx, parent, id) : parent;
    await requireMember(ctx, fields.owner_id ?? null);
    const [before] = await lockGroups(ctx, [id]);
    if (before === undefined) throw notFound('group');
    requireRevision(before.revision, expected_revision);
    const { name, owner_id } = before;
    const changes = changedFields({ name, parent_id: before.parent_id, owner_id }, { ...fields, parent_id });
    if (changes === null) return oneGroup(ctx, id);
    await tx
      .updateTable('project_groups')
      .set({ ...changes.after, revision: before.revision + 1, updated_at: now })
      .where(byId(organisationId, id))
      .execute()
      .catch((error: unknown) => {
        throw isNameTaken(error) ? conflict('name_taken') : error;
      });
    await audit({ action: 'group.update', target: target(id), ...changes });
    return oneGroup(ctx, id);
  },

  /** Nobody who saw a project by a group sees it by another one: what is in the group moves to where the group was. */
  async delete(ctx, { group: given }) {
    const { tx, organisationId, now, audit } = ctx;
    const { id } = await findGroupById(ctx, given);
    const [before] = await lockGroups(ctx, [id]);
    if (before === undefined) throw notFound('group');
    const { name, parent_id, owner_id } = before;
    const { rows } = await sql<{ id: string }>`
      select id from projects where organisation_id = ${organisationId} and group_id = ${id}`.execute(tx);
    const projects = rows.map((row) => row.id);
    await moveProjects(ctx, projects, parent_id);
    await tx
      .updateTable('project_groups')
      .set((row) => ({ parent_id, revision: row('revision', '+', 1), updated_at: now }))
      .where(({ and }) => and({ organisation_id: organisationId, parent_id: id }))
      .execute();
    await tx.deleteFrom('project_groups').where(byId(organisationId, id)).execute();
    await audit({ action: 'group.delete', target: target(id), before: { name, parent_id, owner_id } });
    return { id, deleted: true };
  },

  assign: assignProjects,
};

/** SQLSTATE 23505. */
function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'project_groups_by_name';
}

async function oneGroup({ tx, organisationId }: Context, id: string) {
  const isMeant = sql<boolean>`held.id = ${id}`;
  const [group] = await loadGroups(tx, organisationId, { isMeant, paging: { page: 1, page_size: 1 } });
  if (group === undefined) throw notFound('group');
  return group;
}

/** In the order of their ids, so that two that lock the same wait for each other and not for ever. */
function lockGroups({ tx, organisationId }: Context, ids: readonly string[]) {
  return tx
    .selectFrom('project_groups')
    .select(['id', 'name', 'parent_id', 'owner_id', 'revision'])
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * The id of a group that may hold others. Both are locked before it is asked what they are in and what is in them: two requests could
 * nest them deeper together.
 *
 * @param child the group that is to be in it; a new one has nothing in it
 */
async function parentOf(ctx: Context, given: string, child?: string): Promise<string> {
  const { id } = await findGroup(ctx, given);
  await lockGroups(ctx, child === undefined ? [id] : [id, child]);
  const parent = await findGroup(ctx, id);
  const isFlat = child === undefined || (await findGroup(ctx, child)).subgroups.length === 0;
  if (parent.parent_id !== null || id === child || !isFlat) throw invalidField('parent', 'groups_nest_once');
  return id;
}

async function requireMember({ tx, organisationId }: Context, id: string | null): Promise<void> {
  if (id === null) return;
  const member = tx.selectFrom('members').select('id').where(byId(organisationId, id)).forKeyShare();
  await member.executeTakeFirstOrThrow(() => invalidField('owner_id', 'unknown_member'));
}
