import { useQueries } from '@tanstack/react-query';
import { type GuardedPath, highestRole, permissions } from '../../procedures/permissions.js';
import { api } from './client.js';
import { useSession } from './session.js';

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
