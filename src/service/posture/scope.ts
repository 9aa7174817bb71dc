import type { Context } from '../api/handler.js';
import type { Scope } from '../counts/scope.js';
import { findProject } from '../projects/find-project.js';

/** The scope that a call names; a project that is not there is a 404. */
export async function requireScope(ctx: Context, projectId: string | undefined): Promise<Scope> {
  if (projectId !== undefined) await findProject(ctx, projectId);
  return { organisationId: ctx.organisationId, projectId };
}
