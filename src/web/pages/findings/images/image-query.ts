import { queryOptions } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api, client } from '../../../api/client.js';

type Image = RouterOutputs['containers']['listImages']['items'][number];

/** One image of a project, looked for in their list; null where it has no such image. */
export function imageQuery(projectId: string, imageId: string) {
  return queryOptions({
    queryKey: [...api.containers.listImages.queryKey({ project_id: projectId }), 'one', imageId],
    queryFn: async ({ signal }): Promise<Image | null> => {
      for (let page = 1; ; page += 1) {
        const input = { project_id: projectId, page, page_size: 100 };
        const { items, has_more } = await client.containers.listImages.query(input, { signal });
        const image = items.find(({ id }) => id === imageId);
        if (image !== undefined || !has_more) return image ?? null;
      }
    },
  });
}
