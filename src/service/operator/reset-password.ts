import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import { issuePasswordReset } from '../auth/password-reset.js';
import type { Database } from '../db/database.js';
import { invalidField, notFound } from '../http/api-error.js';
import { operatorActor } from './operator-actor.js';

export interface Account {
  readonly email: string;
  /** Needed where the address has accounts in several organisations. */
  readonly organisation_id?: string | undefined;
}

/** A token for the member with this e-mail address, who may be the last admin: nobody else could help. */
export function resetPasswordOf(database: Database, { email, organisation_id }: Account, from: RequestOrigin) {
  return database.system(async (tx) => {
    let accounts = tx
      .selectFrom('members')
      .select(['organisation_id', 'id', 'email'])
      .where('email', '=', email)
      .where('deactivated_at', 'is', null);
    if (organisation_id !== undefined) accounts = accounts.where('organisation_id', '=', organisation_id);
    const [member, other] = await accounts.limit(2).forKeyShare().execute();
    if (member === undefined) throw notFound('member');
    if (other !== undefined) throw invalidField('organisation_id', 'several_accounts');
    const { organisation_id: organisationId, id: memberId } = member;
    const now = new Date();
    const issuedBy = operatorActor.name;
    const reset = await issuePasswordReset(tx, { organisationId, memberId, issuedBy, mailed: false, now });
    await recordAudit(
      tx,
      { organisationId, actor: operatorActor, ...from },
      {
        action: 'password_reset.create',
        target: { kind: 'member', id: memberId },
        after: { password_reset: reset.id, expires_at: reset.expires_at },
      },
    );
    return { email: member.email, token: reset.token, expires_at: reset.expires_at };
  });
}
