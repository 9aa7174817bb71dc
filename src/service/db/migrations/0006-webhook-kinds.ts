import { type Kysely, sql } from 'kysely';

/** The kinds of webhooks are plug-ins: their list is in the code alone (src/procedures/webhooks.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table webhooks drop constraint webhooks_kind_check').execute(db);
}
