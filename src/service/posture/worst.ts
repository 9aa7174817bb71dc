import { type RawBuilder, sql } from 'kysely';
import type { Domain, RankedFinding, RankedRisk } from '../../procedures/risk.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { inScope, type Scope } from '../db/scope.js';
import { imageUpgrades, packageUpgrades } from '../remediation/package-upgrades.js';
import { type RankedAlertRow, type RankedFindingRow, toRankedAlert, toRankedFinding } from './ranked-finding.js';

/**
 * Worst first: as `worseFirst` in the gateway, then by CVSS and name, so that equal risks have the same order in every project.
 * The indexes of migration 0008 have this order. The id decides only between two projects with the same finding.
 */
function worstFirst(domain: Domain) {
  const ties =
    domain === 'dependencies'
      ? sql`cvss_score desc nulls last, package_name collate "C", vulnerability_id collate "C"`
      : sql`rule_id collate "C", identity`;
  return sql`risk, risk_score desc, tier_rank, probability desc, severity_rank, ${ties}, id`;
}

/** Ranked findings, each with its `place` in that order. */
function placed(domain: Domain, ranked: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select *, row_number() over (order by ${worstFirst(domain)}) as place from (${ranked}) as each`;
}

/** The columns that rank findings, all in indexes. The wide rows are read only for the findings returned. */
function rankColumns(domain: Domain) {
  const ties = domain === 'dependencies' ? sql`cvss_score, package_name, vulnerability_id` : sql`rule_id, identity`;
  return sql`organisation_id, id, risk, risk_score, tier_rank, probability, severity_rank, ${ties}`;
}

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

/** @param since only those that were first seen since then */
export function risksOf(scope: Scope, domain: Domain, count: number, since?: Date): RawBuilder<unknown> {
  const { from, isOfDomain } = tableOf(domain);
  return sql`select ${rankColumns(domain)} from ${from} where ${inScope(scope)} and ${isOfDomain} and risk < ${sql.lit(other)}
      ${since === undefined ? sql`` : sql`and first_seen_at >= ${since}`}
    order by ${worstFirst(domain)} limit ${count}`;
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
  const order = worstFirst(domain);
  return sql`select ${rankColumns(domain)} from unnest(${days}::date[]) as days (day)
      cross join lateral (
        select ${rankColumns(domain)} from ${from}
        where ${inScope(scope)} and ${isOfDomain} and risk is not null and opened_on = days.day
        order by ${order} limit ${count}
      ) as each
      order by ${order} limit ${count}`;
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
    from (${placed(domain, ranked)}) as ranked
    join ${from} as finding on finding.organisation_id = ranked.organisation_id and finding.id = ranked.id
    join projects on projects.organisation_id = finding.organisation_id and projects.id = finding.project_id
    order by ranked.place`;
  if (domain === 'dependencies') {
    const { rows } = await withProject.$castTo<RankedAlertRow>().execute(tx);
    return rows.map(toRankedAlert);
  }
  const { rows } = await withProject.$castTo<RankedFindingRow>().execute(tx);
  return rows.map(toRankedFinding);
}

/**
 * So many of the worst findings are read, one number after the other, until they are of as many upgrades as are wanted. The
 * first is enough for nearly every project. The last bounds the work where a package has thousands of findings.
 */
const depths = [200, 2_000, 20_000];

/** The worst open findings of a domain, `count` at most. Of those that one upgrade closes the worst is named, with the upgrade. */
export async function worstUpgrades(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  scope: Scope,
  domain: Domain,
  count: number,
  since: Date | undefined,
): Promise<RankedRisk[]> {
  const ids = await worstOfEach(tx, { scope, domain, count, since });
  const { from } = tableOf(domain);
  const chosen = sql`select ${rankColumns(domain)} from ${from}
    where organisation_id = ${scope.organisationId} and id = any (${ids}::text[])`;
  const worst = ids.length === 0 ? [] : await readRanked(tx, domain, chosen);
  if (domain === 'dependencies') return packageUpgrades({ tx, organisationId: scope.organisationId, now }, worst);
  if (domain === 'containers') return imageUpgrades(tx, scope.organisationId, worst);
  return worst.map((finding) => ({ ...finding, fix: null }));
}

interface Wanted {
  readonly scope: Scope;
  readonly domain: Domain;
  readonly count: number;
  readonly since: Date | undefined;
}

/** Ids of the worst finding of each upgrade. */
async function worstOfEach(tx: Transaction, wanted: Wanted): Promise<string[]> {
  for (const depth of depths) {
    const { rows } = await firstOfEach(wanted, depth).execute(tx);
    const [{ seen } = { seen: 0 }] = rows;
    if (rows.length === wanted.count || seen < depth || depth === depths.at(-1)) return rows.map(({ id }) => id);
  }
  return [];
}

/** Takes the first finding of each upgrade among the `depth` worst, and says how many were read. */
function firstOfEach(
  { scope, domain, count, since }: Wanted,
  depth: number,
): RawBuilder<{ readonly id: string; readonly seen: number }> {
  const { from } = tableOf(domain);
  return sql`
    with ranked as materialized (${placed(domain, risksOf(scope, domain, depth, since))}),
    grouped as (
      select finding.id, ranked.place, ${closedBy[domain]} as closed_by from ranked
      join ${from} as finding on finding.organisation_id = ranked.organisation_id and finding.id = ranked.id
    )
    select id, (select count(*)::int from ranked) as seen
    from (select id, place, row_number() over (partition by closed_by order by place) as nth from grouped) as each
    where nth = 1 order by place limit ${count}`;
}

/** What identifies the upgrade that closes a finding. A finding that none is known for stands for itself. */
const closedBy = {
  dependencies: sql`jsonb_build_array(finding.project_id, finding.ecosystem, finding.package_name)`,
  code: sql`finding.id`,
  running_app: sql`finding.id`,
  containers: sql`case when finding.details ->> 'fixed_version' is null then to_jsonb(finding.id)
    else jsonb_build_array(finding.project_id, finding.source, finding.details #> '{package,name}',
      finding.details #> '{package,version}', finding.details -> 'fixed_version') end`,
} as const satisfies Record<Domain, RawBuilder<unknown>>;
