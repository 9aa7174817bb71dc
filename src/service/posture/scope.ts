import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../http/handler.js';
import { findProject } from '../projects/find-project.js';

/** What is asked about: one project, or all of the organisation. */
export interface Scope {
  readonly organisationId: string;
  readonly projectId: string | undefined;
}

/** The scope that a call names; a project that is not there is a 404. */
export async function requireScope(ctx: Context, projectId: string | undefined): Promise<Scope> {
  if (projectId !== undefined) await findProject(ctx, projectId);
  return { organisationId: ctx.organisationId, projectId };
}

/** The condition that a row belongs to the scope. */
export function inScope({ organisationId, projectId }: Scope): RawBuilder<boolean> {
  const ofProject = projectId === undefined ? sql`` : sql` and project_id = ${projectId}`;
  return sql<boolean>`organisation_id = ${organisationId}${ofProject}`;
}
