import { type RawBuilder, sql } from 'kysely';
import type { Domain, RankedFinding } from '../../procedures/risk.js';
import type { Transaction } from '../db/database.js';
import { inScope, type Scope } from '../db/scope.js';
import { type RankedAlertRow, type RankedFindingRow, toRankedAlert, toRankedFinding } from './ranked-finding.js';

/** The columns that rank findings, all in indexes. The wide rows are read only for the findings returned. */
const rank = sql`organisation_id, id, risk, risk_score, probability, severity_rank`;

/** Worst first, the same order as `worseFirst`. Indexes have this order. */
const worstFirst = sql`risk, risk_score desc, probability desc, severity_rank, id`;

/** Index in `risk.options` of `other`, the first one that is no risk by itself. */
const other = 3;

/** The worst open findings of a domain, `count` at most. */
export async function worstRisks(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  count: number,
): Promise<RankedFinding[]> {
  return readRanked(tx, domain, risksOf(scope, domain, count));
}

export function risksOf(scope: Scope, domain: Domain, count: number): RawBuilder<unknown> {
  const { from, isOfDomain } = tableOf(domain);
  return sql`select ${rank} from ${from} where ${inScope(scope)} and ${isOfDomain} and risk < ${sql.lit(other)}
    order by ${worstFirst} limit ${count}`;
}

/**
 * The worst findings that are open now and became open, for the first time or again, within the window. The worst of each
 * day are read by an index and then compared, so that neither many new findings nor many worse old ones make this slow.
 */
export async function worstNew(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  days: readonly string[],
  count: number,
): Promise<RankedFinding[]> {
  return readRanked(tx, domain, newOf(scope, domain, days, count));
}

/** @param days the days of the window (UTC, YYYY-MM-DD), first one first */
export function newOf(scope: Scope, domain: Domain, days: readonly string[], count: number): RawBuilder<unknown> {
  const { from, isOfDomain } = tableOf(domain);
  return sql`select ${rank} from unnest(${days}::date[]) as days (day)
      cross join lateral (
        select ${rank} from ${from}
        where ${inScope(scope)} and ${isOfDomain} and risk is not null and opened_on = days.day
        order by ${worstFirst} limit ${count}
      ) as each
      order by ${worstFirst} limit ${count}`;
}

function tableOf(domain: Domain) {
  return domain === 'dependencies'
    ? { from: sql.table('alerts'), isOfDomain: sql<boolean>`true` }
    : { from: sql.table('findings'), isOfDomain: sql<boolean>`domain = ${domain}` };
}

/** Reads the findings that a query has ranked, with their projects' names. */
async function readRanked(tx: Transaction, domain: Domain, ranked: RawBuilder<unknown>): Promise<RankedFinding[]> {
  const { from } = tableOf(domain);
  const withProject = sql`
    select finding.*, projects.name as project_name
    from (${ranked}) as ranked
    join ${from} as finding on finding.organisation_id = ranked.organisation_id and finding.id = ranked.id
    join projects on projects.organisation_id = finding.organisation_id and projects.id = finding.project_id
    order by ranked.risk, ranked.risk_score desc, ranked.probability desc, ranked.severity_rank, ranked.id`;
  if (domain === 'dependencies') {
    const { rows } = await withProject.$castTo<RankedAlertRow>().execute(tx);
    return rows.map(toRankedAlert);
  }
  const { rows } = await withProject.$castTo<RankedFindingRow>().execute(tx);
  return rows.map(toRankedFinding);
}
