import type { Context, Handlers } from '../api/handler.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { loadPage } from '../http/page.js';
import { requireNotBreakGlass } from './passwords-off.js';

type OrganisationHandlers = Handlers['organisation'];

/** What the API answers of a member. */
export const memberColumns = [
  ...(['id', 'email', 'name', 'role', 'created_at', 'last_seen_at'] as const),
  ...(['proven_by', 'deactivated_at'] as const),
] as const;

export const listMembers: OrganisationHandlers['listMembers'] = ({ tx, organisationId }, input) => {
  const members = tx.selectFrom('members').where('organisation_id', '=', organisationId);
  return loadPage(input, members.select(memberColumns).orderBy('name').orderBy('id'));
};

export const updateMember: OrganisationHandlers['updateMember'] = async (ctx, { member_id, role }) => {
  const { target, isLastAdmin } = await lockWithAdmins(ctx, member_id);
  if (target.role === role) return target;
  if (isLastAdmin) throw conflict('last_admin');
  await requireNotBreakGlass(ctx, member_id);
  const after = await ctx.tx
    .updateTable('members')
    .set({ role })
    .where(byId(ctx.organisationId, member_id))
    .returning(memberColumns)
    .executeTakeFirstOrThrow();
  await ctx.audit({
    action: 'member.update',
    target: { kind: 'member', id: member_id },
    before: { role: target.role },
    after: { role },
  });
  return after;
};

export const removeMember: OrganisationHandlers['removeMember'] = async (ctx, { member_id }) => {
  const { target, isLastAdmin } = await lockWithAdmins(ctx, member_id);
  if (isLastAdmin) throw conflict('last_admin');
  await requireNotBreakGlass(ctx, member_id);
  await ctx.tx.deleteFrom('members').where(byId(ctx.organisationId, member_id)).execute();
  const { email, name, role } = target;
  await ctx.audit({
    action: 'member.remove',
    target: { kind: 'member', id: member_id },
    before: { email, name, role },
  });
  return { id: member_id, deleted: true };
};

/**
 * A member, locked together with every admin in the order of their ids. When two admins demote or remove each other at the
 * same time, the second request waits, and then finds that it is about the last admin.
 */
async function lockWithAdmins({ tx, organisationId }: Context, memberId: string) {
  const rows = await tx
    .selectFrom('members')
    .select(memberColumns)
    .where('organisation_id', '=', organisationId)
    .where((e) => e.or([e('role', '=', 'admin'), e('id', '=', memberId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const target = rows.find(({ id }) => id === memberId);
  if (target === undefined) throw notFound('member');
  const isLastAdmin = target.role === 'admin' && rows.filter(({ role }) => role === 'admin').length === 1;
  return { target, isLastAdmin };
}
