import { recordAudit } from '../audit/record-audit.js';
import { issuePasswordReset } from '../auth/password-reset.js';
import type { Database } from '../db/database.js';
import { notFound } from '../http/api-error.js';
import { type OperatorRequest, operatorActor } from './operator-actor.js';

/** A token for the member with this e-mail address, who may be the last admin: nobody else could help. */
export function resetPasswordOf(database: Database, email: string, { ip, requestId }: OperatorRequest) {
  return database.system(async (tx) => {
    const member = await tx
      .selectFrom('members')
      .select(['organisation_id', 'id', 'email'])
      .where('email', '=', email)
      .forKeyShare()
      .executeTakeFirstOrThrow(() => notFound('member'));
    const { organisation_id: organisationId, id: memberId } = member;
    const now = new Date();
    const reset = await issuePasswordReset(tx, { organisationId, memberId, issuedBy: operatorActor.name, now });
    await recordAudit(
      tx,
      { organisationId, actor: operatorActor, ip, requestId },
      {
        action: 'password_reset.create',
        target: { kind: 'member', id: memberId },
        after: { password_reset: reset.id, expires_at: reset.expires_at },
      },
    );
    return { email: member.email, token: reset.token, expires_at: reset.expires_at };
  });
}
