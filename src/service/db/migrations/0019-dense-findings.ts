import { type Kysely, sql } from 'kysely';

/** Columns of findings that no query compares: their statistics are of no use. Comparing lists and JSON takes long. */
const uncompared = ['details', 'sightings', 'reports', 'title', 'facts_hash', 'modes', 'named', 'turns'];

/**
 * Pages of findings are filled. Room in them was for updates that change no index, which confirmed findings. Since change sets
 * (0014) a finding that changes gets a new version, so half of each page stayed empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table findings set (fillfactor = 100)`.execute(db);
  for (const column of uncompared) {
    await sql`alter table findings alter column ${sql.ref(column)} set statistics 0`.execute(db);
  }
}
