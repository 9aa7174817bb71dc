import { type RawBuilder, sql } from 'kysely';
import type { Domain, RankedFinding } from '../../procedures/risk.js';
import { inScope, type Scope } from '../counts/scope.js';
import type { Transaction } from '../db/database.js';
import { type RankedAlertRow, type RankedFindingRow, toRankedAlert, toRankedFinding } from './ranked-finding.js';

/** Where a finding ranks: the columns of the indexes, so that wide rows are read only of those that are told. */
const rank = sql`organisation_id, id, risk, risk_score, probability, severity_rank`;

/** Worst first, as `worseFirst` orders; the order of the indexes that serve it. */
const worstFirst = sql`risk, risk_score desc, probability desc, severity_rank, id`;

/** Place in `risk.options` of the first that is no risk by itself. */
const other = 3;

/** The worst open findings of a domain, read by an index: as many rows as are asked for. */
export async function worstRisks(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  count: number,
): Promise<RankedFinding[]> {
  return told(tx, domain, risksOf(scope, domain, count));
}

export function risksOf(scope: Scope, domain: Domain, count: number): RawBuilder<unknown> {
  const { from, isOfDomain } = tableOf(domain);
  return sql`select ${rank} from ${from} where ${inScope(scope)} and ${isOfDomain} and risk < ${sql.lit(other)}
    order by ${worstFirst} limit ${count}`;
}

/**
 * The worst of the findings that are open now and were not when the window began, with the day `since`. Each day's are
 * read by an index and compared, so that neither many new ones nor many worse old ones make it slow.
 */
export async function worstNew(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  days: readonly string[],
  count: number,
): Promise<RankedFinding[]> {
  return told(tx, domain, newOf(scope, domain, days, count));
}

/** @param days those of the window (UTC), YYYY-MM-DD, from the first */
export function newOf(scope: Scope, domain: Domain, days: readonly string[], count: number): RawBuilder<unknown> {
  const { from, isOfDomain } = tableOf(domain);
  return sql`select ${rank} from unnest(${days}::date[]) as days (day)
      cross join lateral (
        select ${rank} from ${from}
        where ${inScope(scope)} and ${isOfDomain} and risk is not null and opened_on = days.day
          and (cardinality(turns) = 1
            or (select count(*) from unnest(turns) as turned (day) where turned.day < ${days[0]}::date) % 2 = 0)
        order by ${worstFirst} limit ${count}
      ) as each
      order by ${worstFirst} limit ${count}`;
}

function tableOf(domain: Domain) {
  return domain === 'dependencies'
    ? { from: sql.table('alerts'), isOfDomain: sql<boolean>`true` }
    : { from: sql.table('findings'), isOfDomain: sql<boolean>`domain = ${domain}` };
}

/** The findings that a query has found, with their projects' names. */
async function told(tx: Transaction, domain: Domain, found: RawBuilder<unknown>): Promise<RankedFinding[]> {
  const { from } = tableOf(domain);
  const withProject = sql`
    select told.*, projects.name as project_name
    from (${found}) as found
    join ${from} as told on told.organisation_id = found.organisation_id and told.id = found.id
    join projects on projects.organisation_id = told.organisation_id and projects.id = told.project_id
    order by found.risk, found.risk_score desc, found.probability desc, found.severity_rank, found.id`;
  if (domain === 'dependencies') {
    const { rows } = await withProject.$castTo<RankedAlertRow>().execute(tx);
    return rows.map(toRankedAlert);
  }
  const { rows } = await withProject.$castTo<RankedFindingRow>().execute(tx);
  return rows.map(toRankedFinding);
}
