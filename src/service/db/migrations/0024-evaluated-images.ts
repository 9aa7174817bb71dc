import { type Kysely, sql } from 'kysely';

/** An image that becomes monitored may have more findings than fit into one short transaction. */
const statements = [
  'alter table container_images add column evaluated_to text',
  'create index container_images_to_evaluate on container_images (organisation_id, id) where evaluated_to is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
