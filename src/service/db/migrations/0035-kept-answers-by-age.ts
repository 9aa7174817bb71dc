import { type Kysely, sql } from 'kysely';

/**
 * A request deletes old answers of its own organisation. By age alone it would read those of all others first, which stay until their
 * organisations come again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index idempotency_keys_by_age`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (organisation_id, created_at)`.execute(db);
}
