import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';

/** An advisory lock that nothing else uses: `feeds` in ASCII. */
const lockNumber = 0x6665656473;

/**
 * Before intelligence is written, until the transaction ends. Two loads at the same time alternate, batch by batch, and do not
 * mix. Whoever compared with what was there before has committed, so the load finds the packages and alerts of that.
 */
export async function lockIntelligence(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx);
}

/**
 * Before intelligence is compared with what a project has. A load waits until this transaction ends: else it would see nothing
 * of what is written here, and what it brings would be missing in it.
 */
export async function shareIntelligence(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockNumber}::bigint)`.execute(tx);
}
