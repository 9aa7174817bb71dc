import type { Handlers } from '../api/handler.js';
import { issuePasswordReset } from '../auth/password-reset.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { queueLink } from '../mail/queue-link.js';
import { requirePasswords } from './passwords-off.js';

/**
 * The admin's own is refused: who finds a session open must not get the account with it.
 *
 * @param canMail the link goes to the member's address; else the token is answered
 */
export function createPasswordResetWith(canMail: boolean): Handlers['organisation']['createPasswordReset'] {
  return async ({ tx, organisationId, caller, now, audit }, { member_id }) => {
    if (member_id === caller.id) throw conflict('own_password');
    const { email } = await tx
      .selectFrom('members')
      .select('email')
      .where(byId(organisationId, member_id))
      .forKeyShare()
      .executeTakeFirstOrThrow(() => notFound('member'));
    await requirePasswords(tx, organisationId, member_id);
    const target = { kind: 'member', id: member_id };
    if (canMail) {
      const payload = { issued_by: caller.name };
      await queueLink(tx, { organisationId, event: 'password_reset', to: { member_id }, email, payload, now });
      await audit({ action: 'password_reset.create', target, after: { mailed: true } });
      return { token: null, mailed: true, expires_at: null };
    }
    const reset = { organisationId, memberId: member_id, issuedBy: caller.name, mailed: false, now };
    const { id, token, expires_at } = await issuePasswordReset(tx, reset);
    await audit({ action: 'password_reset.create', target, after: { password_reset: id, expires_at } });
    return { token, mailed: false, expires_at };
  };
}
