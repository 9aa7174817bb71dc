/** Rows of one list that paging can reach. For more a filter is better. */
const maxReach = 10_000;

interface Page {
  readonly page: number;
  readonly page_size: number;
  readonly has_more: boolean;
}

/** The `cursor` of the page after this one, as `getNextPageParam` of an endless list; undefined where paging ends. */
export function nextCursor({ page, page_size, has_more }: Page): number | undefined {
  return has_more && (page + 1) * page_size <= maxReach ? page + 1 : undefined;
}
