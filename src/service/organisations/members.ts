import type { Context, Handlers } from '../api/handler.js';
import { endSessions } from '../auth/end-sessions.js';
import { byId } from '../db/scope.js';
import { conflict, invalidField, notFound } from '../http/api-error.js';
import { loadPage } from '../http/page.js';
import { changedFields } from '../projects/changed-fields.js';
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

export const updateMember: OrganisationHandlers['updateMember'] = async (ctx, input) => {
  const { member_id, role, deactivated, confirm_address } = input;
  if (role === undefined && deactivated === undefined && confirm_address === undefined)
    throw invalidField('', 'no_change');
  const { tx, organisationId, now } = ctx;
  const { target, isLastAdmin } = await lockWithAdmins(ctx, member_id);
  if (confirm_address === true && target.proven_by === null) await requireOwnDomain(ctx, target.email);
  const { deactivated_at, proven_by } = target;
  const changes = changedFields(
    { role: target.role, deactivated_at, proven_by },
    {
      role,
      ...(deactivated !== undefined && { deactivated_at: deactivated ? (deactivated_at ?? now) : null }),
      ...(confirm_address === true && { proven_by: proven_by ?? ('domain' as const) }),
    },
  );
  if (changes === null) return target;
  const { after } = changes;
  const isAdminStill = (after.role ?? target.role) === 'admin' && (after.deactivated_at ?? null) === null;
  if (isLastAdmin && !isAdminStill) throw conflict('last_admin');
  if (!isAdminStill) await requireNotBreakGlass(ctx, member_id);
  const updated = await tx
    .updateTable('members')
    .set(after)
    .where(byId(organisationId, member_id))
    .returning(memberColumns)
    .executeTakeFirstOrThrow();
  if (updated.deactivated_at !== null) await endSessions(tx, { organisationId, memberId: member_id });
  await ctx.audit({ action: 'member.update', target: { kind: 'member', id: member_id }, ...changes });
  return updated;
};

/** An admin could else say of a stranger's address that it is a member's, and would be taken for the stranger. */
async function requireOwnDomain({ tx, organisationId }: Context, email: string): Promise<void> {
  await tx
    .selectFrom('email_domains')
    .select('domain')
    .where('organisation_id', '=', organisationId)
    .where('domain', '=', email.slice(email.lastIndexOf('@') + 1))
    .where('proven_by', 'is not', null)
    .executeTakeFirstOrThrow(() => invalidField('confirm_address', 'domain_not_proven'));
}

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
 * same time, the second request waits, and then finds that it is about the last admin. One who is deactivated is none.
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
  const admins = rows.filter(({ role, deactivated_at }) => role === 'admin' && deactivated_at === null);
  return { target, isLastAdmin: admins.length === 1 && admins.includes(target) };
}
