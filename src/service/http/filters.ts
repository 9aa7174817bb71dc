import { type RawBuilder, sql } from 'kysely';
import { keysOf } from '../../shared/schema/unwrap.js';
import type { Paging } from './page.js';

/** The fields of a list's input that choose among its rows: all but its projects and its page. */
export type FiltersOf<Input> = Omit<Input, 'project_id' | 'group' | keyof Paging>;

/**
 * The condition of each filter of a list. A filter that is only in the definition does not compile, because its list would answer
 * rows that were not asked for.
 *
 * A condition is undefined for a value that leaves nothing out.
 */
export type Conditions<Filters> = {
  readonly [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => RawBuilder<boolean> | undefined;
};

/** The conditions of the filters that are given, in the order of the table. */
export function conditionsOf<Filters extends object>(
  table: Conditions<Filters>,
  filters: Filters,
): RawBuilder<boolean>[] {
  return keysOf(table).flatMap((name) => conditionOf(table, filters, name) ?? []);
}

function conditionOf<Filters, Name extends keyof Filters>(
  table: Conditions<Filters>,
  filters: Filters,
  name: Name,
): RawBuilder<boolean> | undefined {
  const value = filters[name];
  return value === undefined || value === null ? undefined : table[name](value);
}

/** All conditions as one; true without any. */
export function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
