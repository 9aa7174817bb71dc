import { type Kysely, sql } from 'kysely';

/** Where an unfinished assessment of a project's alerts stands, and what unfinished work has found to tell its webhooks. */
const statements = [
  'alter table projects add column alerts_due_after text, add column news jsonb',
  `create index projects_with_due_work on projects (organisation_id, id)
    where alerts_due_after is not null or verdicts_due_after is not null or news is not null`,
  'drop index projects_with_due_verdicts',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
