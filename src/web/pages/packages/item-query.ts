import { queryOptions } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';

type Item = RouterOutputs['techStack']['list']['items'][number];

/** One tracked package with its health and revision, looked for among those of its name; null where it is not there. */
export function itemQuery(projectId: string, itemId: string, name: string) {
  return queryOptions({
    queryKey: [...api.techStack.list.queryKey({ project_id: projectId, package: name }), 'one', itemId],
    queryFn: async ({ signal }): Promise<Item | null> => {
      for (let page = 1; ; page += 1) {
        const input = { project_id: projectId, package: name, page, page_size: 100 };
        const { items, has_more } = await client.techStack.list.query(input, { signal });
        const item = items.find(({ id }) => id === itemId);
        if (item !== undefined || !has_more) return item ?? null;
      }
    },
  });
}
