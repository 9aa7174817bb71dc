import type { Context } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { findProject } from '../projects/find-project.js';

/** Does the work in the scope that a call asks for; 404 where its project does not exist. */
export async function inScopeOf<T>(
  ctx: Context,
  projectId: string | undefined,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const scope = { organisationId: ctx.organisationId, projectId };
  const [done] = await Promise.all([work(scope), projectId === undefined ? undefined : findProject(ctx, projectId)]);
  return done;
}
