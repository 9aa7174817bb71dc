import { type Kysely, sql } from 'kysely';

/** What carries a package in its archive. Packages that are there have none until the next sync of their source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tech_stack_items add column bundled_in text[]`.execute(db);
}
