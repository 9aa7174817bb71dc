import type { PublicContext } from '../api/handler.js';
import { type AuditEvent, recordAudit } from '../audit/record-audit.js';
import { keepIdentity } from '../auth/accounts.js';
import type { Role } from '../auth/caller.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { requireRoom } from '../limits/require-room.js';
import { beginSession } from '../sessions/sign-in.js';
import type { Binding, Candidate } from './candidates.js';
import { refused } from './flow.js';
import type { Person } from './person.js';
import { roleByGroups } from './roles.js';

/** Where a request comes from. */
export type Origin = Omit<PublicContext, 'system'>;

interface Member {
  readonly id: string;
  readonly name: string;
}

/** Signs a person in to one of the candidates. Throws `ApiError` where it is none any more. */
export async function enter(tx: Transaction, person: Person, { binding, account }: Candidate, origin: Origin) {
  const { organisation_id } = binding;
  const member =
    account === null
      ? await join(tx, person, binding, origin)
      : await returning(tx, person, { binding, memberId: account.memberId }, origin);
  const identity = { id: account?.identityId ?? (await linked(tx, person, { binding, member }, origin)) };
  await tx
    .updateTable('identities')
    .set({ last_seen_at: origin.now })
    .where(byId(organisation_id, identity.id))
    .execute();
  return {
    memberId: member.id,
    session: await beginSession(
      tx,
      { organisation_id, ...member, identity: { ...identity, issuer: person.issuer } },
      origin,
    ),
  };
}

/** A new member, by an address of the organisation's own domain. */
async function join(tx: Transaction, person: Person, binding: Binding, origin: Origin): Promise<Member> {
  await requireRoom(tx, binding.organisation_id, 'members');
  const role = roleByGroups(binding, person) ?? binding.default_role;
  return addMember(tx, person, { binding, role, action: 'member.join' }, origin);
}

interface Added {
  readonly binding: Binding;
  readonly role: Role;
  readonly action: 'member.join' | 'invite.accept';
  /** Id of the invite. */
  readonly invite?: string;
}

/** Adds a person as a member without a password. */
export async function addMember(
  tx: Transaction,
  { email, name: named, issuer }: Person,
  { binding, role, action, invite }: Added,
  { ip, device, requestId }: Origin,
): Promise<Member> {
  if (email === null) throw refused('address_unverified');
  const { organisation_id: organisationId } = binding;
  const member = await tx
    .insertInto('members')
    .values({
      ...{ organisation_id: organisationId, id: newId('mem'), email, role },
      ...{ name: named ?? (email.split('@')[0] || email), password_hash: null, proven_by: 'issuer' },
    })
    // Somebody else became a member with this address meanwhile.
    .onConflict((known) => known.columns(['organisation_id', 'email']).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow(() => refused('account_unconfirmed'));
  const target =
    invite === undefined ? ({ kind: 'member', id: member.id } as const) : ({ kind: 'invite', id: invite } as const);
  const origin = {
    organisationId,
    actor: { kind: 'member', ...member, sessionId: null, issuer } as const,
    ip,
    device,
    requestId,
  };
  const after = { member_id: member.id, email, name: member.name, role, issuer };
  await recordAudit(tx, origin, { action, target, after });
  return member;
}

interface Returning {
  readonly binding: Binding;
  readonly memberId: string;
}

/**
 * A member, with the role that his or her groups give now. The address counts as shown, where it is the one that the
 * issuer has verified.
 */
async function returning(
  tx: Transaction,
  person: Person,
  { binding, memberId }: Returning,
  { ip, device, requestId }: Origin,
): Promise<Member> {
  const { organisation_id: organisationId } = binding;
  // Every admin in the order of ids, as whoever changes roles locks them: of two demotions at once the second sees the first.
  const rows = await tx
    .selectFrom('members')
    .select(['id', 'name', 'email', 'role', 'proven_by', 'deactivated_at'])
    .where('organisation_id', '=', organisationId)
    .where((e) => e.or([e('role', '=', 'admin'), e('id', '=', memberId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const active = rows.filter(({ deactivated_at }) => deactivated_at === null);
  const member = active.find(({ id }) => id === memberId);
  if (member === undefined) throw refused('no_account');
  const isLastAdmin = member.role === 'admin' && active.filter(({ role }) => role === 'admin').length === 1;
  const given = roleByGroups(binding, person);
  const isKept = given === null || isLastAdmin || (await isBreakGlass(tx, organisationId, memberId));
  const role = isKept ? member.role : given;
  const proven_by = member.proven_by ?? (member.email === person.email ? 'issuer' : null);
  if (role !== member.role || proven_by !== member.proven_by) {
    await tx.updateTable('members').set({ role, proven_by }).where(byId(organisationId, memberId)).execute();
  }
  if (role !== member.role) {
    const actor = { kind: 'system', id: 'issuer', name: person.issuer } as const;
    const target = { kind: 'member', id: memberId };
    const change: AuditEvent = { action: 'member.update', target, before: { role: member.role }, after: { role } };
    await recordAudit(tx, { organisationId, actor, ip, device, requestId }, change);
  }
  return { id: member.id, name: member.name };
}

async function isBreakGlass(tx: Transaction, organisationId: string, memberId: string): Promise<boolean> {
  const { break_glass_id } = await tx
    .selectFrom('organisations')
    .select('break_glass_id')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return break_glass_id === memberId;
}

/** From the first sign-in on, the account is this subject's. Answers the identity's id. */
async function linked(
  tx: Transaction,
  person: Person,
  { binding, member }: { readonly binding: Binding; readonly member: Member },
  { ip, device, requestId }: Origin,
): Promise<string> {
  const { organisation_id: organisationId } = binding;
  const id = await keepIdentity(tx, { organisationId, memberId: member.id }, person);
  if (id === undefined) throw refused('account_of_another');
  const { issuer, subject } = person;
  const actor = { kind: 'member', ...member, sessionId: null, issuer } as const;
  const event: AuditEvent = { action: 'identity.link', target: { kind: 'identity', id }, after: { issuer, subject } };
  await recordAudit(tx, { organisationId, actor, ip, device, requestId }, event);
  return id;
}
