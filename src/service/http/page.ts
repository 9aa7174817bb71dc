import { type SelectQueryBuilder, sql } from 'kysely';

interface Paging {
  readonly page: number;
  readonly page_size: number;
}

/** How many rows come before the page. */
export function offsetOf({ page, page_size }: Paging): number {
  return (page - 1) * page_size;
}

/** The answer of a list: the page's rows and whether more follow. `total` counts the rows of all pages. */
export function pageAnswer<Row>({ page, page_size }: Paging, total: number, rows: Row[]) {
  return { items: rows, page, page_size, total, has_more: page * page_size < total };
}

/** One page of a list. `query` selects all rows of the list, in order. */
export async function loadPage<Tables, Table extends keyof Tables, Row>(
  paging: Paging,
  query: SelectQueryBuilder<Tables, Table, Row>,
) {
  const [{ total }, rows] = await Promise.all([
    query
      .clearSelect()
      .clearOrderBy()
      .select(sql`count(*)::int`.as('total'))
      .$castTo<{ readonly total: number }>()
      .executeTakeFirstOrThrow(),
    query.limit(paging.page_size).offset(offsetOf(paging)).execute(),
  ]);
  return pageAnswer(paging, total, rows);
}
