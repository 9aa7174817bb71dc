import { sql } from 'kysely';
import { type Domain, domains } from '../../procedures/risk.js';
import type { Tier } from '../../shared/vulnerability-terms.js';
import type { Transaction } from '../db/database.js';
import { inScope, type Scope } from '../db/scope.js';

/** What the findings of a domain and tier did on one day. */
export interface DayCount {
  readonly domain: Domain;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** That the findings have now. */
  readonly tier: Tier;
  /** Findings that became open for the first time. */
  readonly appeared: number;
  /** Findings that stopped being open, for the last time so far. */
  readonly resolved: number;
  /** How many more were open at the end of the day than at its beginning. */
  readonly net: number;
}

/** Every day since `since` on which something happened, in all domains: at most one row for a domain, day and tier. */
export async function countDays(tx: Transaction, scope: Scope, since: string): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select domain, day, tier, sum(appeared)::bigint as appeared, sum(resolved)::bigint as resolved, sum(net)::bigint as net
    from posture_days
    where ${inScope(scope)} and domain = any (${[...domains]}::text[]) and day >= ${since}
    group by domain, day, tier`.execute(tx);
  return rows;
}

export interface OpenCount {
  readonly domain: Domain;
  readonly tier: Tier;
  readonly count: number;
}

/** How many are open now, in all domains. */
export async function countOpen(tx: Transaction, scope: Scope): Promise<OpenCount[]> {
  const { rows } = await sql<OpenCount>`
    select domain, tier, sum(count)::bigint as count
    from posture_counts
    where ${inScope(scope)} and domain = any (${[...domains]}::text[]) and source = ''
      and state in ('open', 'open_acknowledged')
    group by domain, tier`.execute(tx);
  return rows;
}
