import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { newLinkToken } from './link-token.js';

const validMs = 60 * 60 * 1000;

interface Reset {
  readonly organisationId: string;
  readonly memberId: string;
  /** Name of who issues it. */
  readonly issuedBy: string;
  /** Nobody but who reads the member's mail gets the token. */
  readonly mailed: boolean;
  readonly now: Date;
}

/** A token by which the member sets a new password, once and within an hour. It takes the place of an earlier one. */
export async function issuePasswordReset(tx: Transaction, { organisationId, memberId, issuedBy, mailed, now }: Reset) {
  const { token, hash } = newLinkToken('reset');
  const row = {
    id: newId('rst'),
    token_hash: hash,
    created_by: issuedBy,
    mailed,
    expires_at: new Date(now.getTime() + validMs),
  };
  await tx
    .insertInto('password_resets')
    .values({ organisation_id: organisationId, member_id: memberId, ...row })
    .onConflict((pending) => pending.columns(['organisation_id', 'member_id']).doUpdateSet(row))
    .execute();
  return { id: row.id, token, expires_at: row.expires_at };
}
