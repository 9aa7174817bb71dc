import { type Kysely, sql } from 'kysely';

/** The public keys of receipts, of which the newest one's private key is in `service_keys`. */
const statements = [
  `create table receipt_keys (
    id text primary key,
    x text not null,
    y text not null,
    created_at timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
