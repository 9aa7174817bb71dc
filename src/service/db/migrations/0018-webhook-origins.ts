import { type Kysely, sql } from 'kysely';

/** Where a webhook's receiver is. The address itself is sealed, and the shares of deliveries go by this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column origin text not null default ''`.execute(db);
  await sql`update webhooks set origin = coalesce(lower(substring(url from '^[^:]+://([^/?#]+)')), '')`.execute(db);
}
