import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import { invalidField } from './api-error.js';
import { isStorableText } from './storable-text.js';

type KeyType = 'text' | 'bool' | 'numeric' | 'float8' | 'timestamptz';

/** The texts that `textOf` makes of values. Others come from a cursor that somebody made up. */
const forms: Readonly<Record<KeyType, (text: string) => boolean>> = {
  text: isStorableText,
  bool: (text) => text === 'true' || text === 'false',
  numeric: (text) => /^-?\d{1,30}$/.test(text),
  float8: (text) => /^-?\d{1,20}(\.\d{1,20})?(e[+-]\d\d)?$/.test(text),
  timestamptz: (text) => /^[1-9].*[+-](0\d|1[0-4]):\d\d$/.test(text) && time.safeParse(text).success,
};

const time = z.iso.datetime({ offset: true });

/** Whether keys can be those of a row of a list. */
export function arePossible(keys: readonly OrderKey[], values: readonly (string | null)[]): boolean {
  return (
    keys.length === values.length &&
    keys.every(({ type, isNullable }, at) => {
      const value = values[at] ?? null;
      return value === null ? isNullable : forms[type](value);
    })
  );
}

/** One key of a list's order. Rows without a value come last. */
export interface OrderKey {
  readonly by: RawBuilder<unknown>;
  readonly type: KeyType;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

/** A key of a list's order: a column, or an expression in the words of the index that has the order. */
export function key(
  by: string | RawBuilder<unknown>,
  type: KeyType,
  ...how: ReadonlyArray<'desc' | 'nullable'>
): OrderKey {
  const [isDescending, isNullable] = [how.includes('desc'), how.includes('nullable')];
  return { by: typeof by === 'string' ? sql.ref(by) : by, type, isDescending, isNullable };
}

/** How a list is ordered, and which of its rows are new or changed. The keys together are different for any two rows. */
export interface List {
  readonly keys: readonly OrderKey[];
  /** When a row appeared. */
  readonly appeared: RawBuilder<unknown>;
  /** That a row appeared or changed since a time. Absent where rows only appear. */
  readonly changed?: (since: Date) => RawBuilder<boolean>;
}

/**
 * A key's value as an element of a JSON list: a text or null. Times are as RFC 3339 writes them, whatever `DateStyle`
 * and `TimeZone` are.
 */
export function textOf({ by, type }: OrderKey): RawBuilder<unknown> {
  return type === 'timestamptz' ? by : sql`(${by})::text`;
}

/** The key as `order by` takes it. */
export function ordered({ by, isDescending, isNullable }: OrderKey): RawBuilder<unknown> {
  if (!isDescending) return by;
  return isNullable ? sql`${by} desc nulls last` : sql`${by} desc`;
}

/** That a row comes after the one with these values: it does by the first key, or it is equal there and does by the others. */
export function comesAfter(
  [first, ...others]: readonly OrderKey[],
  [value, ...values]: readonly (string | null)[],
): RawBuilder<boolean> {
  if (first === undefined) return sql<boolean>`false`;
  const { by, type, isDescending, isNullable } = first;
  const rest = comesAfter(others, values);
  if (value === null || value === undefined) return sql<boolean>`(${by} is null and ${rest})`;
  // As a text first: a driver may round what it knows to be a time.
  const given = sql`${value}::text::${sql.raw(type)}`;
  const orNull = isNullable ? sql` or ${by} is null` : sql``;
  const isLater = isDescending ? sql`${by} < ${given}` : sql`${by} > ${given}`;
  return sql<boolean>`(${isLater}${orNull} or (${by} = ${given} and ${rest}))`;
}

/** Names a procedure and its input without paging, so that a cursor tells of which list it is. */
export function questionOf(procedure: string, input: object): string {
  const filters = Object.entries(input).filter(([name, value]) => value !== undefined && !ofPaging.has(name));
  const given = filters.sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([procedure, given]))
    .digest('base64url')
    .slice(0, 10);
}

const ofPaging: ReadonlySet<string> = new Set(['page', 'page_size', 'cursor', 'cursors']);

/** Throws for the cursor of another list, or of the same with other filters. */
export function requireOwnCursor(
  question: string,
  { cursor, page }: { readonly cursor?: unknown; readonly page?: unknown },
): void {
  if (typeof cursor !== 'string') return;
  if (Number(page) > 1) throw invalidField('page', 'page_and_cursor');
  if (openCursor(cursor).question !== question) throw invalidField('cursor', 'cursor_of_another_list');
}

/** A place in a list, after the row with these keys. */
export interface Cursor {
  readonly question: string;
  readonly asOf: string;
  /** Rows that were seen up to there. */
  readonly seen: number;
  readonly after: readonly (string | null)[];
}

const cursorParts = z.tuple([z.string(), z.iso.datetime(), z.int().min(0)], z.string().nullable());

export function sealCursor({ question, asOf, seen, after }: Cursor): string {
  return Buffer.from(JSON.stringify([question, asOf, seen, ...after])).toString('base64url');
}

/** Throws for a text that is no cursor. */
export function openCursor(text: string): Cursor {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidField('cursor', 'not_a_cursor');
  }
  const parsed = cursorParts.safeParse(json);
  if (!parsed.success) throw invalidField('cursor', 'not_a_cursor');
  const [question, asOf, seen, ...after] = parsed.data;
  return { question, asOf, seen, after };
}
