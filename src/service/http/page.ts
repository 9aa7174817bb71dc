import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '../db/database.js';
import { invalidField } from './api-error.js';
import { arePossible, comesAfter, type List, openCursor, ordered, sealCursor, textOf } from './list-order.js';

/** A list is asked for these besides its filters. */
export interface Paging {
  readonly page: number;
  readonly page_size: number;
  readonly cursor?: string | undefined;
  readonly cursors?: boolean | undefined;
  readonly since?: Date | undefined;
  readonly changed_since?: Date | undefined;
}

/** A list needs these of the call that asks for it. */
interface Within {
  readonly tx: Transaction;
  readonly organisationId?: string;
  readonly now: Date;
  /** As `questionOf` names the list and its filters. */
  readonly question: string;
}

/** The rows that are new, or changed, as far as the caller asks for these alone. */
export function isNew(
  { appeared, changed }: List,
  { since, changed_since }: Pick<Paging, 'since' | 'changed_since'>,
): RawBuilder<boolean> | undefined {
  const conditions = [
    ...(since === undefined ? [] : [sql<boolean>`${appeared} >= ${since}`]),
    ...(changed_since === undefined ? [] : [changed?.(changed_since) ?? sql<boolean>`${appeared} >= ${changed_since}`]),
  ];
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** How many rows come before the page, where it is asked for by its number. */
export function offsetOf({ page, page_size, cursor }: Paging): number {
  return cursor === undefined ? (page - 1) * page_size : 0;
}

/**
 * The parts of a query of one page; throws for a cursor that is none. It reads one row more than the page has: whether
 * there is another one.
 */
export function partsOf({ keys }: List, input: Paging) {
  const after = input.cursor === undefined ? undefined : openCursor(input.cursor).after;
  if (after !== undefined && !arePossible(keys, after)) throw invalidField('cursor', 'not_a_cursor');
  return {
    /** That a row comes after the cursor. */
    isAfter: after === undefined ? undefined : comesAfter(keys, after),
    /** The order, without `order by`. */
    order: sql.join(keys.map(ordered)),
    /** The row's place in the order, which `answerPage` reads. */
    place: sql<string>`jsonb_build_array(${sql.join(keys.map(textOf))})::text`.as('place'),
    limit: input.page_size + 1,
    offset: offsetOf(input),
  };
}

/** One page of rows that `answerPage` answers. `query` selects all rows of the list, unordered. */
export function pageOfRows<Tables, Table extends keyof Tables, Row>(
  list: List,
  input: Paging,
  query: SelectQueryBuilder<Tables, Table, Row>,
) {
  const { isAfter, place, limit, offset } = partsOf(list, input);
  const isMeant = [isNew(list, input), isAfter].filter((each) => each !== undefined);
  const rows = isMeant.reduce((among, condition) => among.where(condition), query.select(place));
  return list.keys
    .reduce((among, each) => among.orderBy(ordered(each)), rows)
    .limit(limit)
    .offset(offset);
}

/** A row's keys as `partsOf` selects them. */
const keysIn = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.string().nullable()));

interface Placed {
  readonly place: string;
}

/**
 * The answer of a list: the page's rows, whether more follow, and from where. `total` counts the rows of all pages.
 *
 * @param as_of of `asOf`, which was asked before the rows were
 * @param rows in order, up to one more than the page has
 */
export function answerPage<Row extends Placed>(
  { question }: Pick<Within, 'question'>,
  input: Paging,
  { as_of, total, rows }: { readonly as_of: Date; readonly total: number; readonly rows: readonly Row[] },
) {
  const { page_size, cursor } = input;
  const start = cursor === undefined ? offsetOf(input) : openCursor(cursor).seen;
  const cursorAt = ({ place }: Row, at: number) =>
    sealCursor({
      question,
      asOf: as_of.toISOString(),
      seen: start + at + 1,
      after: keysIn.parse(place),
    });
  const shown = rows.slice(0, page_size);
  const last = rows.length > page_size ? shown.at(-1) : undefined;
  return {
    items: shown.map(({ place: _place, ...row }) => row),
    page: Math.floor(start / page_size) + 1,
    page_size,
    total,
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : cursorAt(last, shown.length - 1),
    as_of,
    ...(input.cursors === true && { cursors: shown.map(cursorAt) }),
  };
}

/** The page with an item for each of its rows; undefined where what a row is about is gone. */
export function withItems<Page extends { readonly cursors?: string[] }, Item>(
  page: Page,
  items: readonly (Item | undefined)[],
) {
  const cursors = page.cursors?.filter((_, at) => items[at] !== undefined);
  return { ...page, items: items.filter((item) => item !== undefined), ...(cursors && { cursors }) };
}

/** One page of a list, and how many rows it has in all. `query` selects all rows, unordered. */
export async function loadPage<Tables, Table extends keyof Tables, Row>(
  within: Within,
  list: List,
  input: Paging,
  query: SelectQueryBuilder<Tables, Table, Row>,
) {
  const isMeant = isNew(list, input);
  const counted = isMeant === undefined ? query : query.where(isMeant);
  // First what may refuse the cursor.
  const page = pageOfRows(list, input, query).$castTo<Row & Placed>();
  const [as_of, { total }, rows] = await Promise.all([
    asOf(within, input),
    counted
      .clearSelect()
      .select(sql`count(*)::int`.as('total'))
      .$castTo<{ readonly total: number }>()
      .executeTakeFirstOrThrow(),
    page.execute(),
  ]);
  return answerPage(within, input, { as_of, total, rows });
}

/**
 * The time from which a later call with `since` misses nothing of what this answer does not show: what is being written appears with the
 * time at which that began. So it lies before every landing that is open, and as long back as a transaction and clocks may take. It is a
 * multiple of ten minutes, so that calls which follow one another answer the same. Later pages keep that of the first one.
 *
 * It must be asked before the rows are: a landing that ended between the two would be in neither.
 */
export async function asOf({ tx, now, organisationId }: Within, { cursor }: Paging): Promise<Date> {
  if (cursor !== undefined) return new Date(openCursor(cursor).asOf);
  const oldest = organisationId === undefined ? null : await oldestLanding(tx, organisationId);
  const time = Math.min(now.getTime(), oldest?.getTime() ?? Number.POSITIVE_INFINITY) - writingMs;
  return new Date(time - (time % (10 * minuteMs)));
}

const minuteMs = 60_000;
const writingMs = 2 * minuteMs;

async function oldestLanding(tx: Transaction, organisationId: string): Promise<Date | null> {
  const { begun } = await tx
    .selectFrom('change_sets')
    .select((row) => row.fn.min('begun_at').as('begun'))
    .where('organisation_id', '=', organisationId)
    .where('state', '<>', 'landed')
    .executeTakeFirstOrThrow();
  return begun;
}
