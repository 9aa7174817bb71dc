import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/** What a project that is gone must not have any more: lists that name no project, and work that goes on by itself. */
const goneAtOnce = ['change_sets', 'webhooks', 'container_images', 'posture_counts', 'posture_days'];

/**
 * To delete a project with all its rows takes seconds, which would be one transaction. So a project is hidden first, and its
 * rows are removed in steps (projects/removed-projects.ts). Row-level security does not let a tenant change a row after which
 * it would not see it: hence the function. Its caller has seen the project.
 */
const removeProject = (schema: string) => `
  create function remove_project(project text, at timestamptz) returns void language plpgsql security definer
    set search_path = ${schema}, pg_temp as $$
    begin
      update projects set removed_at = at, alerts_due_after = null, verdicts_due_after = null, news = null
        where organisation_id = ${organisation} and id = project;
      ${goneAtOnce
        .map((table) => `delete from ${table} where organisation_id = ${organisation} and project_id = project;`)
        .join('\n      ')}
    end $$`;

const statements = (schema: string) => [
  'create index projects_removed on projects (removed_at) where removed_at is not null',
  'drop index projects_by_name',
  'create unique index projects_by_name on projects (organisation_id, lower(name)) where removed_at is null',
  'drop policy own_rows on projects',
  `create policy own_rows on projects to postern_tenant using (organisation_id = ${organisation} and removed_at is null)
    with check (organisation_id = ${organisation} and removed_at is null)`,
  removeProject(schema),
  'revoke execute on function remove_project from public',
  'grant execute on function remove_project to postern_tenant',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) {
    for (const statement of statements(escapeIdentifier(schema))) await sql.raw(statement).execute(db);
  }
}
