import { type Kysely, sql } from 'kysely';

const statements = [
  // When a landing began: what it writes appears with that time, and everybody sees it later.
  'alter table change_sets add column begun_at timestamptz not null default now()',
  // It stays unknown of the targets that are there already.
  'alter table dast_targets add column created_at timestamptz',
  'alter table dast_targets alter column created_at set default now()',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
