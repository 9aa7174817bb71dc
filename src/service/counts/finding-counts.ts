import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../procedures/risk.js';
import { keysOf } from '../../shared/schema/unwrap.js';
import type { Transaction } from '../db/database.js';
import { inScope, type Scope } from '../db/scope.js';
import type { PostureCountsTable, PostureDaysTable } from '../db/tables/posture.js';

type Counted = Pick<PostureCountsTable, 'state' | 'tier' | 'severity' | 'band'>;

export interface FindingCount extends Counted {
  readonly count: number;
}

/**
 * How many findings of a domain there are, by state, tier, severity and band: a row for each combination that occurs.
 *
 * @param source a repository, site or image, to count its findings alone
 */
export async function countFindings(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  source = '',
): Promise<FindingCount[]> {
  return tx
    .selectFrom('posture_counts')
    .select(['state', 'tier', 'severity', 'band', sumOf(sql`count`).as('count')])
    .where(inScope(scope))
    .where('domain', '=', domain)
    .where('source', '=', source)
    .groupBy(['state', 'tier', 'severity', 'band'])
    .execute();
}

/** How many findings did each of these since a day began. A finding counts once for each, however often it did it. */
interface Transitions {
  /** Became open for the first time. */
  readonly appeared: number;
  /** Became open again; one that also appeared since then does not count here. */
  readonly reopened: number;
  /** Stopped being open, whether it is open again or not. */
  readonly resolved: number;
  /** How many more are open now than were when the day began. */
  readonly net: number;
}

interface TransitionCount extends Transitions {
  readonly tier: PostureDaysTable['tier'];
}

/** The transitions since the day `since` (UTC, YYYY-MM-DD) began, by the tier that the findings have now. */
export async function countTransitions(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  since: string,
): Promise<TransitionCount[]> {
  return tx
    .selectFrom('posture_days')
    .select([
      'tier',
      sumOf(sql`appeared`).as('appeared'),
      sumOf(sql`reopened`).as('reopened'),
      sumOf(sql`resolved`).as('resolved'),
      sumOf(sql`net`).as('net'),
    ])
    .where(inScope(scope))
    .where('domain', '=', domain)
    .where('day', '>=', since)
    .groupBy('tier')
    .execute();
}

/** A sum of counts as a number. PostgreSQL's `sum` of bigint is numeric, which `pg` returns as text. */
function sumOf(counts: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`sum(${counts})::bigint`;
}

/** How many findings there are of the kinds that pass. */
export function totalOf(counts: readonly FindingCount[], passes: (kind: FindingCount) => boolean): number {
  return counts.reduce((total, kind) => (passes(kind) ? total + kind.count : total), 0);
}

export function isOpen({ state }: Pick<Counted, 'state'>): boolean {
  return state === 'open' || state === 'open_acknowledged';
}

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
