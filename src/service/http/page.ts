interface Paging {
  readonly page: number;
  readonly page_size: number;
}

/** Rows to leave out before a page begins. */
export function offsetOf({ page, page_size }: Paging): number {
  return (page - 1) * page_size;
}

/** A list's answer: the page's rows, and whether there are more. `total` counts every page's rows. */
export function pageAnswer<Row>({ page, page_size }: Paging, total: number, rows: Row[]) {
  return { items: rows, page, page_size, total, has_more: page * page_size < total };
}
