import { type Kysely, sql } from 'kysely';

/**
 * Background work that instances share: who runs it and until when, and how it is doing, as JSON. A job that each instance runs has a
 * row for each, with the instance as its slot. The system's alone.
 */
const statements = [
  `create table jobs (
    name text not null,
    slot text not null,
    instance text not null,
    lease_until timestamptz not null,
    status jsonb not null,
    primary key (name, slot)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
