import type { Transaction } from '../db/database.js';

interface Ended {
  readonly organisationId: string;
  /** Absent: of all members. */
  readonly memberId?: string | undefined;
  /** A session that goes on. */
  readonly except?: string;
}

/** Ends sessions; their tokens answer 401 from the next request on. Answers how many. */
export async function endSessions(tx: Transaction, { organisationId, memberId, except }: Ended): Promise<number> {
  let sessions = tx.deleteFrom('sessions').where('organisation_id', '=', organisationId);
  if (memberId !== undefined) sessions = sessions.where('member_id', '=', memberId);
  if (except !== undefined) sessions = sessions.where('id', '<>', except);
  const { numDeletedRows } = await sessions.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
