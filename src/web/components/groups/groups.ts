import { queryOptions } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';

export type Group = RouterOutputs['groups']['list']['items'][number];

/** Groups that a choice offers. */
const maxOffered = 1_000;

/** All groups, each before those in it: what a choice offers. */
export const allGroups = queryOptions({
  queryKey: [...api.groups.list.queryKey(), 'all'],
  queryFn: async ({ signal }) => {
    const items: Group[] = [];
    for (let page = 1; items.length < maxOffered; page += 1) {
      const answer = await client.groups.list.query({ page, page_size: 100 }, { signal });
      items.push(...answer.items);
      if (!answer.has_more) break;
    }
    return items;
  },
});

/** A group as a list or a project names it. */
interface Named extends Pick<Group, 'name'> {
  readonly parent?: Group['parent'] | undefined;
}

/** As `Retail / Storefront`. */
export function groupName({ name, parent }: Named): string {
  return parent ? `${parent.name} / ${name}` : name;
}
