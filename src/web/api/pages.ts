import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

/** Rows of one page. The server pages, filters and sorts; the browser never holds a whole list. */
const pageSize = 100;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly total: number;
  readonly has_more: boolean;
}

/**
 * A list that grows as the reader scrolls. While a filter changes, the rows before stay, dimmed.
 * @param key of the list with its filters: `api.alerts.list.queryKey(input)`
 * @param ask asks for one page
 */
export function pages<Answer extends Page<unknown>>(
  key: readonly unknown[],
  ask: (paging: { readonly page: number; readonly page_size: number }, signal: AbortSignal) => Promise<Answer>,
) {
  return infiniteQueryOptions({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => ask({ page: pageParam, page_size: pageSize }, signal),
    initialPageParam: 1,
    // 10,000 rows are reachable; further ones need a filter.
    getNextPageParam: ({ page, has_more }) => (has_more && (page + 1) * pageSize <= 10_000 ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}
