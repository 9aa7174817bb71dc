import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { ProjectPosture } from './types.js';

const pollMs = 5_000;

/**
 * What is open in one project and when it was last looked at: its row in the list of projects, which is found by its name.
 *
 * @param pollWhile while this holds and the page is visible, it is asked for again and again
 */
export function useProjectPosture(
  { id, name }: { readonly id: string; readonly name: string },
  pollWhile: (project: ProjectPosture) => boolean,
) {
  return useQuery({
    ...api.posture.listProjects.queryOptions({ q: name, sort: 'name', page_size: 100 }),
    select: ({ items }) => items.find((each) => each.id === id) ?? null,
    refetchInterval: ({ state }) => {
      const found = state.data?.items.find((each) => each.id === id);
      return found !== undefined && pollWhile(found) ? pollMs : false;
    },
  });
}
