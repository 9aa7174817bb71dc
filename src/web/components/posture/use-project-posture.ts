import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { ProjectPosture } from './types.js';

const pollMs = 5_000;

interface Options {
  /** Asks again and again while this holds and the page is visible. */
  readonly pollWhile?: (project: ProjectPosture) => boolean;
}

/** What is open in one project and when it was last looked at: its row in the list of projects, which is found by its name. */
export function useProjectPosture(
  project: { readonly id: string; readonly name: string } | undefined,
  options: Options = {},
) {
  const { id = '', name = '' } = project ?? {};
  const { pollWhile } = options;
  return useQuery({
    ...api.posture.listProjects.queryOptions(
      { q: name, sort: 'name', page_size: 100 },
      { enabled: project !== undefined },
    ),
    select: ({ items }) => items.find((each) => each.id === id) ?? null,
    refetchInterval: ({ state }) => {
      const found = state.data?.items.find((each) => each.id === id);
      return found !== undefined && pollWhile?.(found) ? pollMs : false;
    },
  });
}
