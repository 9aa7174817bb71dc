import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { bindingsOf, type Candidate, candidatesOf } from './candidates.js';
import { addMember, type Origin } from './enter.js';
import { refused } from './flow.js';
import type { Person } from './person.js';
import { roleByGroups } from './roles.js';

/** The pending invite with the hash of this token. */
export async function pendingInvite(tx: Transaction, tokenHash: Buffer, now: Date) {
  const invite = await tx
    .selectFrom('invites')
    .select(['organisation_id', 'id', 'email', 'role'])
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return invite;
}

/**
 * Where an invite leads: to an account that the person has there already, or to a new one. The address that the issuer has verified must be
 * the invite's, and the organisation must take the issuer. Throws `ApiError`.
 */
export async function acceptByIssuer(
  tx: Transaction,
  person: Person,
  tokenHash: Buffer,
  origin: Origin,
): Promise<Candidate> {
  const invite = await pendingInvite(tx, tokenHash, origin.now);
  if (invite === undefined) throw refused('invite_invalid');
  const known = await candidatesOf(tx, person);
  const there = known.find(({ binding }) => binding.organisation_id === invite.organisation_id);
  if (there !== undefined && there.account !== null) return there;
  const [binding] = await bindingsOf(tx, person, [invite.organisation_id]);
  if (binding === undefined) throw refused('unknown_issuer');
  if (person.email === null) throw refused('address_unverified');
  if (person.email !== invite.email) throw refused('invite_for_another');
  const role = roleByGroups(binding, person) ?? invite.role;
  const added = { binding, role, action: 'invite.accept', invite: invite.id } as const;
  const { id: memberId } = await addMember(tx, person, added, origin);
  await tx
    .updateTable('invites')
    .set({ accepted_at: origin.now })
    .where(byId(invite.organisation_id, invite.id))
    // Accepted or revoked meanwhile.
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => refused('invite_invalid'));
  return { binding, account: { memberId, identityId: null } };
}
