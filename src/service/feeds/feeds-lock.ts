import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';

/** An advisory lock that nothing else uses: `feeds` in ASCII. */
const lockNumber = 0x6665656473;

/** Held until the transaction ends. Two loads at the same time alternate, batch by batch, and do not mix. */
export async function lockFeeds(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx);
}
