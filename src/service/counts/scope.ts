import { type RawBuilder, sql } from 'kysely';

/** One project, or all projects of the organisation. */
export interface Scope {
  readonly organisationId: string;
  readonly projectId: string | undefined;
}

/** The condition that a row belongs to the scope. */
export function inScope({ organisationId, projectId }: Scope): RawBuilder<boolean> {
  const ofProject = projectId === undefined ? sql`` : sql` and project_id = ${projectId}`;
  return sql<boolean>`organisation_id = ${organisationId}${ofProject}`;
}
