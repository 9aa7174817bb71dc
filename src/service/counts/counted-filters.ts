import { keysOf } from '../../shared/schema/keys-of.js';
import { type FindingCount, totalOf } from './finding-counts.js';

/** For each filter that the kept counts know, whether findings of a kind pass it. */
export type CountedFilters<Filters> = {
  readonly [Name in keyof Filters]-?: (kind: FindingCount, value: NonNullable<Filters[Name]>) => boolean;
};

/** How many findings pass all filters that are given. */
export function totalWith<Filters extends object>(
  counts: readonly FindingCount[],
  table: CountedFilters<Filters>,
  filters: Filters,
): number {
  const names = keysOf(table);
  return totalOf(counts, (kind) => names.every((name) => passes(table, filters, name, kind)));
}

function passes<Filters, Name extends keyof Filters>(
  table: CountedFilters<Filters>,
  filters: Filters,
  name: Name,
  kind: FindingCount,
): boolean {
  const value = filters[name];
  return value === undefined || value === null || table[name](kind, value);
}
