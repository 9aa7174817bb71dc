import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { nextCursor } from '../../client/paging.js';

/** Rows of one page. The server pages, filters and sorts; the browser never holds a whole list. */
const pageSize = 100;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/**
 * A list that grows as the reader scrolls. While a filter changes, the rows before stay, dimmed.
 * @param key of the list with its filters: `api.alerts.list.queryKey(input)`
 * @param ask asks for one page
 */
export function pages<Answer extends Page<unknown>>(
  key: readonly unknown[],
  ask: (
    paging: { readonly cursor?: string | undefined; readonly page_size: number },
    signal: AbortSignal,
  ) => Promise<Answer>,
) {
  return infiniteQueryOptions({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => ask({ cursor: pageParam, page_size: pageSize }, signal),
    initialPageParam: beginning(),
    getNextPageParam: nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** No cursor: the first page. */
function beginning(): string | undefined {
  return undefined;
}
