import type { Handlers } from '../api/handler.js';
import { recordAudit } from '../audit/record-audit.js';
import { hashSecret } from '../auth/api-key.js';
import { inHashingLine } from '../auth/hashing-line.js';
import { networkOf } from '../auth/network.js';
import { hashPassword } from '../auth/password.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { conflict, invalidField } from '../http/api-error.js';
import { inviteStatus } from './invites.js';
import { memberColumns } from './members.js';

/** Makes the holder of the token a member. The token is checked before the password is hashed, so guesses cost little. */
export const acceptInvite: Handlers['organisation']['acceptInvite'] = async (ctx, { token, name, password }) => {
  const { system, now, ip, requestId } = ctx;
  const tokenHash = hashSecret(token);
  await system((tx) => requirePending(tx, tokenHash, now));
  const passwordHash = await inHashingLine(networkOf(ip), () => hashPassword(password));
  return system(async (tx) => {
    const invite = await takeInvite(tx, tokenHash, now);
    const { organisation_id: organisationId, email, role } = invite;
    const member = await tx
      .insertInto('members')
      .values({ organisation_id: organisationId, id: newId('mem'), email, name, role, password_hash: passwordHash })
      .onConflict((conflicting) => conflicting.column('email').doNothing())
      .returning(memberColumns)
      .executeTakeFirst();
    if (member === undefined) throw await takenBy(tx, organisationId, email);
    const actor = { kind: 'member', id: member.id, name } as const;
    await recordAudit(
      tx,
      { organisationId, actor, ip, requestId },
      {
        action: 'invite.accept',
        target: { kind: 'invite', id: invite.id },
        after: { member_id: member.id, email, name, role },
      },
    );
    return member;
  });
};

/** One address signs in to one organisation. Whose member it is, only the holder of the token learns. */
async function takenBy(tx: Transaction, organisationId: string, email: string) {
  const here = await tx
    .selectFrom('members')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('email', '=', email)
    .executeTakeFirst();
  return conflict(here === undefined ? 'member_elsewhere' : 'already_member');
}

async function requirePending(tx: Transaction, tokenHash: Buffer, now: Date): Promise<void> {
  const invite = await tx
    .selectFrom('invites')
    .select(['expires_at', 'accepted_at', 'revoked_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (invite === undefined || inviteStatus(invite, now) !== 'pending') throw invalidField('token', 'invite_invalid');
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
    .returning(['organisation_id', 'id', 'email', 'role'])
    .executeTakeFirstOrThrow(() => invalidField('token', 'invite_invalid'));
  return invite;
}
