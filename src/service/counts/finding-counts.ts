import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../procedures/risk.js';
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

interface TransitionCount {
  readonly tier: PostureDaysTable['tier'];
  /** Open now, but not when the window began. */
  readonly arrived: number;
  /** Open when the window began, but not now. */
  readonly departed: number;
}

/** How many findings have become open or stopped being open since the day `since` (UTC, YYYY-MM-DD) began, by tier. */
export async function countTransitions(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  since: string,
): Promise<TransitionCount[]> {
  return tx
    .selectFrom('posture_days')
    .select(['tier', sumOf(sql`arrived`).as('arrived'), sumOf(sql`departed`).as('departed')])
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
