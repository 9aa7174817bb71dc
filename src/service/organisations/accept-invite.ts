import { networkOf } from '../../shared/limits/network.js';
import type { Handlers } from '../api/handler.js';
import { recordAudit } from '../audit/record-audit.js';
import { hashSecret } from '../auth/api-key.js';
import { inHashingQueue } from '../auth/hashing.js';
import { hashOfAddress, hashPassword } from '../auth/password.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { conflict, invalidField } from '../http/api-error.js';
import { inviteStatus } from './invites.js';
import { setGroups } from './member-groups.js';
import { oneMember } from './members.js';
import { requirePasswords } from './passwords-off.js';

/** Makes the holder of the token a member. The token is checked before the password is hashed, so guesses cost little. */
export const acceptInvite: Handlers['organisation']['acceptInvite'] = async (ctx, { token, name, password }) => {
  const { system, now, ip, device, requestId } = ctx;
  const tokenHash = hashSecret(token);
  const like = await system(async (tx) => hashOfAddress(tx, await emailOfPending(tx, tokenHash, now)));
  const passwordHash = await inHashingQueue(networkOf(ip), () => hashPassword(password, like));
  return system(async (tx) => {
    const invite = await takeInvite(tx, tokenHash, now);
    const { organisation_id: organisationId, email, role, groups, mailed } = invite;
    await requirePasswords(tx, organisationId, null);
    const { id: memberId } = await tx
      .insertInto('members')
      .values({
        organisation_id: organisationId,
        id: newId('mem'),
        ...{ email, name, role, password_hash: passwordHash },
        // Whoever made the invite could read a token that was answered: it shows nothing of the address.
        proven_by: mailed ? 'mail' : null,
      })
      .onConflict((conflicting) => conflicting.columns(['organisation_id', 'email']).doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => conflict('already_member'));
    const key = { organisation_id: organisationId, member_id: memberId };
    await setGroups(
      tx,
      key,
      groups.map((group) => ({ id: group.group_id, role: group.role })),
    );
    const actor = { kind: 'member', id: memberId, name, sessionId: null, issuer: null } as const;
    await recordAudit(
      tx,
      { organisationId, actor, ip, device, requestId },
      {
        action: 'invite.accept',
        target: { kind: 'invite', id: invite.id },
        after: { member_id: memberId, email, name, role, groups },
      },
    );
    return oneMember(tx, key);
  });
};

async function emailOfPending(tx: Transaction, tokenHash: Buffer, now: Date): Promise<string> {
  const invite = await tx
    .selectFrom('invites')
    .select(['email', 'expires_at', 'accepted_at', 'revoked_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (invite === undefined || inviteStatus(invite, now) !== 'pending') throw invalidField('token', 'invite_invalid');
  return invite.email;
}

/** When two requests accept an invite at the same time, the second waits for the row, and then finds it accepted. */
async function takeInvite(tx: Transaction, tokenHash: Buffer, now: Date) {
  const invite = await tx
    .updateTable('invites')
    .set({ accepted_at: now })
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['organisation_id', 'id', 'email', 'role', 'groups', 'mailed'])
    .executeTakeFirstOrThrow(() => invalidField('token', 'invite_invalid'));
  return invite;
}
