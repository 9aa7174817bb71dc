import type { Handlers } from '../api/handler.js';
import { issuePasswordReset } from '../auth/password-reset.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { requirePasswords } from './passwords-off.js';

/** The admin's own is refused: who finds a session open must not get the account with it. */
export const createPasswordReset: Handlers['organisation']['createPasswordReset'] = async (ctx, { member_id }) => {
  const { tx, organisationId, caller, now, audit } = ctx;
  if (member_id === caller.id) throw conflict('own_password');
  await tx
    .selectFrom('members')
    .select('id')
    .where(byId(organisationId, member_id))
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound('member'));
  await requirePasswords(tx, organisationId, member_id);
  const { id, token, expires_at } = await issuePasswordReset(tx, {
    organisationId,
    memberId: member_id,
    issuedBy: caller.name,
    now,
  });
  const target = { kind: 'member', id: member_id };
  await audit({ action: 'password_reset.create', target, after: { password_reset: id, expires_at } });
  return { token, expires_at };
};
