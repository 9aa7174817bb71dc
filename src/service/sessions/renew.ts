import type { Handlers } from '../api/handler.js';
import { signedIn } from '../auth/caller.js';
import { type SessionTokens, sessionEnd } from '../auth/session-token.js';
import { byId } from '../db/scope.js';
import { ApiError } from '../http/api-error.js';

/** Renewals within a quarter of an hour are one: only the first moves the end, and is in the audit log. */
const precisionMs = 15 * 60_000;

/**
 * A new token for the caller's session, whose end moves on. The token that asks stays good until its own expiry: other tabs and
 * calls under way still have it. Ending the session ends both.
 */
export function renewWith(tokens: SessionTokens): Handlers['session']['renew'] {
  return async ({ tx, caller, organisationId, now, audit }) => {
    const { sessionId, id: memberId } = signedIn(caller);
    const session = byId(organisationId, sessionId);
    const { created_at, expires_at: before } = await tx
      .selectFrom('sessions')
      .select(['created_at', 'expires_at'])
      .where(session)
      .forUpdate()
      // Ended after the credential was checked.
      .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
    const until = sessionEnd(now, created_at);
    const moves = until.getTime() - before.getTime() >= precisionMs;
    const expires_at = moves ? until : before;
    if (moves) {
      await tx.updateTable('sessions').set({ expires_at }).where(session).execute();
      await audit({
        action: 'session.renew',
        target: { kind: 'session', id: sessionId },
        before: { expires_at: before },
        after: { expires_at },
      });
    }
    const token = await tokens.sign({ id: sessionId, memberId, expiresAt: expires_at });
    return { token, expires_at };
  };
}
