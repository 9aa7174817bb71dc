import { type RawBuilder, sql } from 'kysely';
import type { Domain, RankedRisk } from '../../procedures/risk.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import { imageUpgrades } from '../remediation/image-upgrades.js';
import { packageUpgrades } from '../remediation/package-upgrades.js';
import { placed, rankColumns, readRanked, risksOf, tableOf } from './worst.js';

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

/** Of the `depth` worst findings the first of each upgrade, and how many were read. */
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
