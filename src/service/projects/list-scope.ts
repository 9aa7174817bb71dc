import type { Context } from '../api/handler.js';
import { tenantOf } from '../auth/caller.js';
import type { Scope } from '../db/scope.js';

/**
 * What a list is about: one project, or all. Of a key that is bound to projects the query names them: row-level security
 * alone would let it read, and leave out, the rows of all others first.
 */
export function listScope(
  { organisationId, caller }: Pick<Context, 'organisationId' | 'caller'>,
  asked?: string,
): Scope {
  const among = asked === undefined ? (tenantOf(caller).projectIds ?? undefined) : undefined;
  return { organisationId, projectId: asked, among };
}
