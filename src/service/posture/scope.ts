import type { Context } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope } from '../projects/list-scope.js';

/** Does the work in the scope that a call asks for; 404 where its project or group does not exist. */
export async function inScopeOf<T>(
  ctx: Context,
  asked: Parameters<typeof listScope>[1],
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const [done] = await Promise.all([work(await listScope(ctx, asked)), requireAsked(ctx, asked.project_id)]);
  return done;
}
