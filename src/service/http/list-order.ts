import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
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
