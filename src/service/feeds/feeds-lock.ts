import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';

/** Any number that nothing else locks: `feeds` in ASCII. */
const lockNumber = 0x6665656473;

/** Makes loads take turns, batch by batch, until the transaction ends: two at once neither block nor mix. */
export async function lockFeeds(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx);
}
