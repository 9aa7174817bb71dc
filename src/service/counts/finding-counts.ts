import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../procedures/risk.js';
import type { Transaction } from '../db/database.js';
import type { PostureCountsTable, PostureDaysTable } from '../db/tables/posture.js';
import { inScope, type Scope } from './scope.js';

type Counted = Pick<PostureCountsTable, 'state' | 'tier' | 'severity' | 'band'>;

export interface FindingCount extends Counted {
  readonly count: number;
}

/**
 * How many findings of a domain there are, by what they are counted by; as many rows as there are kinds, not findings.
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

interface Turned {
  readonly tier: PostureDaysTable['tier'];
  /** Open now, not open when the window began. */
  readonly arrived: number;
  /** Open then, not open now. */
  readonly departed: number;
}

/** What came and went since the beginning (UTC) of the day `since`, YYYY-MM-DD, by tier. */
export async function countTurns(tx: Transaction, scope: Scope, domain: Domain, since: string): Promise<Turned[]> {
  return tx
    .selectFrom('posture_days')
    .select(['tier', sumOf(sql`arrived`).as('arrived'), sumOf(sql`departed`).as('departed')])
    .where(inScope(scope))
    .where('domain', '=', domain)
    .where('day', '>=', since)
    .groupBy('tier')
    .execute();
}

/** A sum of counts as a number: `sum` of bigint is numeric, which is text in code. */
function sumOf(counts: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`sum(${counts})::bigint`;
}

/** How many there are of the kinds that pass. */
export function totalOf(counts: readonly FindingCount[], passes: (kind: FindingCount) => boolean): number {
  return counts.reduce((total, kind) => (passes(kind) ? total + kind.count : total), 0);
}

export function isOpen({ state }: Pick<Counted, 'state'>): boolean {
  return state === 'open' || state === 'open_acknowledged';
}
