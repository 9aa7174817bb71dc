import { type Kysely, sql } from 'kysely';

/** The kinds of webhooks are plug-ins. Their only list is in src/procedures/webhooks.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table webhooks drop constraint webhooks_kind_check').execute(db);
}
