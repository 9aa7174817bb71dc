import { sql } from 'kysely';
import { networkOf } from '../../shared/limits/network.js';
import { Refusal } from '../../shared/limits/refusal.js';
import type { Handlers, PublicContext } from '../api/handler.js';
import { recordAudit } from '../audit/record-audit.js';
import { hashSecret } from '../auth/api-key.js';
import { signedIn } from '../auth/caller.js';
import { endSessions } from '../auth/end-sessions.js';
import { inHashingQueue } from '../auth/hashing.js';
import { hashOfAddress, hashPassword, passwordMatches } from '../auth/password.js';
import { createSignInThrottle } from '../auth/sign-in-throttle.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { ApiError, invalidField } from '../http/api-error.js';
import { requirePasswords } from '../organisations/passwords-off.js';

/**
 * A member's own change. The current password is needed, so that a session left open does not become an account taken over;
 * its guesses are counted as those of signing in. All other sessions end.
 */
export function changePasswordWith(): Handlers['session']['changePassword'] {
  const throttle = createSignInThrottle();
  return async ({ caller, organisationId, now, ip, step }, { current_password, new_password }) => {
    const { sessionId } = signedIn(caller);
    const network = networkOf(ip);
    const attempt = await throttle.begin({ email: caller.id, network }, now, async () => true);
    const { password_hash: before } = await step(async ({ tx }) => {
      await requirePasswords(tx, organisationId, caller.id);
      return passwordOf(tx, organisationId, caller.id);
    });
    const after = await inHashingQueue(network, async () => {
      if (!(await passwordMatches(before, current_password))) throw invalidField('current_password', 'wrong_password');
      return hashPassword(new_password, before);
    }).catch((error: unknown) => {
      if (error instanceof Refusal) attempt.withdraw();
      throw error;
    });
    attempt.succeed();
    return step(async ({ tx, audit }) => {
      const changed = await tx
        .updateTable('members')
        .set({ password_hash: after })
        .where(byId(organisationId, caller.id))
        // Of two changes at once, the second one's current password is no longer the current one.
        .where('password_hash', '=', before)
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) throw invalidField('current_password', 'wrong_password');
      await forgetReset(tx, organisationId, caller.id);
      const ended_sessions = await endSessions(tx, { organisationId, memberId: caller.id, except: sessionId });
      await audit({
        action: 'password.change',
        target: { kind: 'member', id: caller.id },
        after: { ended_sessions },
      });
      return { changed: true, ended_sessions };
    });
  };
}

async function passwordOf(tx: Transaction, organisationId: string, memberId: string) {
  const member = await tx
    .selectFrom('members')
    .select('password_hash')
    .where(byId(organisationId, memberId))
    .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
  return member;
}

async function forgetReset(tx: Transaction, organisationId: string, memberId: string): Promise<void> {
  await tx
    .deleteFrom('password_resets')
    .where('organisation_id', '=', organisationId)
    .where('member_id', '=', memberId)
    .execute();
}

/** Sets a new password by a token, once, and ends all sessions. The token is checked before the password is hashed. */
export const resetPassword: Handlers['session']['resetPassword'] = async (ctx, { token, password }) => {
  const { system, now, ip } = ctx;
  const tokenHash = hashSecret(token);
  const like = await system(async (tx) => {
    const { organisation_id, member_id } = await pendingReset(tx, tokenHash, now);
    const member = tx.selectFrom('members').select('email').where(byId(organisation_id, member_id));
    return hashOfAddress(tx, (await member.executeTakeFirstOrThrow()).email);
  });
  const password_hash = await inHashingQueue(networkOf(ip), () => hashPassword(password, like));
  return system((tx) => useReset(tx, tokenHash, password_hash, ctx));
};

/** The reset, or an error. Its row is locked: of two requests at the same time the second finds it gone. */
async function pendingReset(tx: Transaction, tokenHash: Buffer, now: Date) {
  const reset = await tx
    .selectFrom('password_resets')
    .select(['organisation_id', 'member_id', 'id', 'mailed'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirstOrThrow(() => invalidField('token', 'reset_invalid'));
  return reset;
}

async function useReset(
  tx: Transaction,
  tokenHash: Buffer,
  password_hash: string,
  { now, ip, device, requestId }: PublicContext,
): Promise<{ readonly reset: true }> {
  const reset = await pendingReset(tx, tokenHash, now);
  const { organisation_id: organisationId, member_id: memberId, id, mailed } = reset;
  await requirePasswords(tx, organisationId, memberId);
  const member = await tx
    .updateTable('members')
    // Whoever has a token that was mailed reads the member's mail.
    .set({ password_hash, ...(mailed && { proven_by: sql<'mail'>`coalesce(proven_by, 'mail')` }) })
    .where(byId(organisationId, memberId))
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow(() => invalidField('token', 'reset_invalid'));
  await forgetReset(tx, organisationId, memberId);
  const ended_sessions = await endSessions(tx, { organisationId, memberId });
  const actor = { kind: 'member', ...member, sessionId: null, issuer: null } as const;
  await recordAudit(
    tx,
    { organisationId, actor, ip, device, requestId },
    {
      action: 'password.reset',
      target: { kind: 'member', id: memberId },
      after: { password_reset: id, ended_sessions },
    },
  );
  return { reset: true };
}
