import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { nextCursor } from '../../client/paging.js';

/** Rows of one page. The server pages, filters and sorts; the browser never holds a whole list. */
const pageSize = 100;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next_cursor: string | null;
}

interface Paging {
  readonly cursor?: string | undefined;
  readonly page_size: number;
}

/**
 * A list that grows as the reader scrolls. While a filter changes, the rows before stay, dimmed.
 * @param keys of the procedure: `api.alerts.list`
 * @param procedure that answers one page: `client.alerts.list`
 */
export function pages<Input, Answer extends Page<unknown>>(
  keys: { readonly queryKey: (input: Input) => readonly unknown[] },
  procedure: {
    readonly query: (input: Input & Paging, options: { readonly signal: AbortSignal }) => Promise<Answer>;
  },
  input: Input,
) {
  return infiniteQueryOptions({
    queryKey: [...keys.queryKey(input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      procedure.query({ ...input, cursor: pageParam, page_size: pageSize }, { signal }),
    initialPageParam: beginning(),
    getNextPageParam: nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** No cursor: the first page. */
function beginning(): string | undefined {
  return undefined;
}
