import { type Kysely, sql } from 'kysely';

/** By whose word a member was known, in which session, and the program that asked. Entries of before have none of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_log add column issuer text, add column session_id text, add column device text`.execute(
    db,
  );
}
