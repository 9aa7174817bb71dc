import type { Context } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { findProject } from '../projects/find-project.js';

/** The scope that a call asks for, or 404 where its project does not exist. */
export async function requireScope(ctx: Context, projectId: string | undefined): Promise<Scope> {
  if (projectId !== undefined) await findProject(ctx, projectId);
  return { organisationId: ctx.organisationId, projectId };
}
