import { type SelectQueryBuilder, sql } from 'kysely';

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

/** One page of a list. `query` selects all rows of the list, in order. */
export async function loadPage<Tables, Table extends keyof Tables, Row>(
  paging: Paging,
  query: SelectQueryBuilder<Tables, Table, Row>,
) {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql`count(*)::int`.as('total'))
    .$castTo<{ readonly total: number }>()
    .executeTakeFirstOrThrow();
  const rows = await query.limit(paging.page_size).offset(offsetOf(paging)).execute();
  return pageAnswer(paging, total, rows);
}
