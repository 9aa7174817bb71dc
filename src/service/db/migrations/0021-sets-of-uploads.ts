import { type Kysely, sql } from 'kysely';

/** A job that ends without a word leaves a set, whose lease then need not run out before the next upload of the project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_sets add column upload_id text`.execute(db);
}
