import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { type GuardedPath, highestRole, permissions } from '../../procedures/permissions.js';

import { api, client } from './client.js';

export type { GuardedPath };

/** Who is signed in. Asked once at start; the cookie cannot be read here. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.session.get.query(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/**
 * The session's organisation and member, and whether links go out by mail. Pages behind the frame have one: the router
 * asks before they open.
 */
export function useSession() {
  const { data } = useQuery(sessionQuery);
  if (data === undefined) throw new Error('there is no session');
  const { organisation, caller, sends_mail: sendsMail } = data;
  return { organisation, member: caller.kind === 'member' ? caller.member : null, sendsMail };
}

const none: readonly string[] = [];

/**
 * What the member may call, as `alerts.acknowledge`, in the organisation or in a project: by the table that the service decides by, so that
 * pages show no button that would be refused.
 */
export function useMay(projectId?: string): (name: GuardedPath) => boolean {
  const mayIn = useMayIn(projectId === undefined ? none : [projectId]);
  return (name) => mayIn(name, projectId);
}

/** The same of several projects: the groups that they are in decide too. */
export function useMayIn(projectIds: readonly string[]): (name: GuardedPath, projectId: string | undefined) => boolean {
  const { member } = useSession();
  const grants = member?.groups ?? [];
  const groups = useQueries({
    queries:
      grants.length === 0
        ? []
        : [...new Set(projectIds)].map((id) => api.projects.get.queryOptions({ project_id: id })),
    combine: (results) => new Map(results.map(({ data }) => [data?.id, data?.group ?? null])),
  });
  return (name, projectId) => {
    const group = groups.get(projectId);
    const granted = grants.filter(({ id }) => id === group?.id || id === group?.parent?.id).map(({ role }) => role);
    return permissions[name].callers.includes(highestRole([member?.role ?? 'none', ...granted]));
  };
}
