import type { Page } from '../../api/pages.js';
import type { PagesQuery } from './data-list.js';

/** The same list with only the rows that pass, for one that was read as a whole. */
export function only<Row>(query: PagesQuery<Row>, passes: (row: Row) => boolean): PagesQuery<Row> {
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const filtered = data?.pages.map((page): Page<Row> => ({ ...page, items: page.items.filter(passes) }));
  const total = filtered?.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  return {
    data: filtered && { pages: filtered.map((page) => ({ ...page, total })) },
    ...{ error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch },
  };
}
