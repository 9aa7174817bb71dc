import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';

/** Networks that are kept of a member, the last used ones. */
const maxKept = 20;

/** Whether a member with this e-mail address has signed in from the network before. */
export async function isKnownAddress(tx: Transaction, email: string, network: string): Promise<boolean> {
  const { rows } = await sql`
    select from members join known_addresses as known
      on known.organisation_id = members.organisation_id and known.member_id = members.id
    where members.email = ${email} and known.address = ${network}`.execute(tx);
  return rows.length > 0;
}

/** Keeps that the member has signed in from the network. */
export async function rememberAddress(
  tx: Transaction,
  { organisation_id, id: member_id }: { readonly organisation_id: string; readonly id: string },
  address: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('known_addresses')
    .values({ organisation_id, member_id, address, last_at: now })
    .onConflict((known) => known.columns(['organisation_id', 'member_id', 'address']).doUpdateSet({ last_at: now }))
    .execute();
  await sql`
    delete from known_addresses
    where organisation_id = ${organisation_id} and member_id = ${member_id} and address in (
      select address from known_addresses
      where organisation_id = ${organisation_id} and member_id = ${member_id}
      order by last_at desc offset ${maxKept}
    )`.execute(tx);
}
