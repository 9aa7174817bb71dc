import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { endSessions } from '../auth/end-sessions.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { conflict, invalidField, notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { changedFields } from '../projects/changed-fields.js';
import { groupsOfMember, type MemberGroup, type MemberKey, namedGroups, setGroups } from './member-groups.js';
import { requireNotBreakGlass } from './passwords-off.js';

type OrganisationHandlers = Handlers['organisation'];

/** What the API answers of a member. */
export const memberColumns = [
  ...(['id', 'email', 'name', 'role', 'created_at', 'last_seen_at'] as const),
  ...(['proven_by', 'deactivated_at'] as const),
] as const;

const byName: List = { keys: [key('name', 'text'), key('id', 'text')], appeared: sql`created_at` };

export const listMembers: OrganisationHandlers['listMembers'] = (ctx, input) => {
  const members = ctx.tx.selectFrom('members').where('organisation_id', '=', ctx.organisationId);
  return loadPage(ctx, byName, input, members.select(memberColumns).select(groupsOfMember));
};

export const updateMember: OrganisationHandlers['updateMember'] = async (
  ctx,
  { member_id, groups: given, ...input },
) => {
  if ([given, ...Object.values(input)].every((value) => value === undefined)) throw invalidField('', 'no_change');
  const { tx, organisationId } = ctx;
  const { target, isLastAdmin } = await lockWithAdmins(ctx, member_id);
  const groups = given && (await namedGroups(ctx, given));
  const changes = await changesOf(ctx, target, input);
  const after = { ...target, ...changes?.after };
  if (isLastAdmin && !isActiveAdmin(after)) throw conflict('last_admin');
  if (!isActiveAdmin(after)) await requireNotBreakGlass(ctx, member_id);
  const isRegrouped = groups !== undefined && !isSameGroups(groups, target.groups);
  if (changes === null && !isRegrouped) return target;
  if (changes !== null)
    await tx.updateTable('members').set(changes.after).where(byId(organisationId, member_id)).execute();
  if (after.deactivated_at !== null) await endSessions(tx, { organisationId, memberId: member_id });
  if (isRegrouped) await setGroups(tx, { organisation_id: organisationId, member_id }, groups);
  await ctx.audit({
    ...{ action: 'member.update', target: { kind: 'member', id: member_id } },
    before: { ...changes?.before, ...(isRegrouped && { groups: target.groups }) },
    after: { ...changes?.after, ...(isRegrouped && { groups }) },
  });
  return oneMember(tx, { organisation_id: organisationId, member_id });
};

type TargetMember = Awaited<ReturnType<OrganisationHandlers['updateMember']>>;
type Changes = Omit<Parameters<OrganisationHandlers['updateMember']>[1], 'member_id' | 'groups'>;

async function changesOf(ctx: Context, target: TargetMember, { role, deactivated, confirm_address }: Changes) {
  const { deactivated_at, proven_by } = target;
  if (confirm_address === true && proven_by === null) await requireOwnDomain(ctx, target.email);
  return changedFields(
    { role: target.role, deactivated_at, proven_by },
    {
      role,
      ...(deactivated !== undefined && { deactivated_at: deactivated ? (deactivated_at ?? ctx.now) : null }),
      ...(confirm_address === true && { proven_by: proven_by ?? ('domain' as const) }),
    },
  );
}

function isSameGroups(some: readonly MemberGroup[], others: readonly MemberGroup[]): boolean {
  const asText = (groups: readonly MemberGroup[]) =>
    groups
      .map(({ id, role }) => `${id} ${role}`)
      .sort()
      .join();
  return asText(some) === asText(others);
}

/** What the API answers of a member, as it is in the transaction. */
export function oneMember(tx: Transaction, { organisation_id, member_id }: MemberKey) {
  return tx
    .selectFrom('members')
    .select(memberColumns)
    .select(groupsOfMember)
    .where(byId(organisation_id, member_id))
    .executeTakeFirstOrThrow();
}

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
    .select(groupsOfMember)
    .where('organisation_id', '=', organisationId)
    .where((e) => e.or([e('role', '=', 'admin'), e('id', '=', memberId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const target = rows.find(({ id }) => id === memberId);
  if (target === undefined) throw notFound('member');
  const admins = rows.filter(isActiveAdmin);
  return { target, isLastAdmin: admins.length === 1 && admins.includes(target) };
}

function isActiveAdmin({ role, deactivated_at }: Pick<TargetMember, 'role' | 'deactivated_at'>): boolean {
  return role === 'admin' && deactivated_at === null;
}
