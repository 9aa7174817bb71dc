import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { conflict } from '../http/api-error.js';

/**
 * Refuses a password where the organisation has turned passwords off, but for the break-glass admin.
 *
 * @param memberId null: of nobody yet
 */
export async function requirePasswords(
  tx: Transaction,
  organisationId: string,
  memberId: string | null,
): Promise<void> {
  const { password_sign_in, break_glass_id } = await policyOf(tx, organisationId);
  if (!password_sign_in && break_glass_id !== memberId) throw conflict('password_sign_in_off');
}

/** Keeps the admin who may still sign in by password. The member's row must be locked: whoever names a break-glass admin locks it too. */
export async function requireNotBreakGlass(
  { tx, organisationId }: Pick<Context, 'tx' | 'organisationId'>,
  memberId: string,
): Promise<void> {
  const { break_glass_id } = await policyOf(tx, organisationId);
  if (break_glass_id === memberId) throw conflict('break_glass');
}

async function policyOf(tx: Transaction, organisationId: string) {
  const policy = await tx
    .selectFrom('organisations')
    .select(['password_sign_in', 'break_glass_id'])
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return policy;
}
