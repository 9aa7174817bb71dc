import { sql } from 'kysely';
import { maxFound, maxFoundCount } from '../../../procedures/search.js';
import { ecosystem } from '../../../shared/packages/ecosystem.js';
import { packageRefOf } from '../../alerts/alert-row.js';
import type { Transaction } from '../../db/database.js';
import { inScope, isListed, type Scope } from '../../db/scope.js';
import { findNames } from './names.js';
import type { Found, Search } from './search.js';

type FoundPackage = Found<'packages'>['items'][number];

/** Tracked packages whose name contains it. A version after the name, as in `lodash@4.17.21`, is left out. */
export async function findPackages(tx: Transaction, search: Search): Promise<Found<'packages'>> {
  const { needle: given, ...scope } = search;
  const needle = given.replace(/(?<=.)@v?\d.*$/, '');
  const isTracked = sql<boolean>`exists (
    select from tech_stack_items as item
    where ${isListed(scope, 'item')} and item.ecosystem = known.part and item.package_name = known.name
  )`;
  const names = await findNames(tx, { kind: 'package', needle }, isTracked, maxFoundCount);
  const items: FoundPackage[] = [];
  for (const { part, name } of names.slice(0, maxFound)) items.push(await describe(tx, scope, part, name));
  return { items, total: names.length };
}

interface PackageRow {
  readonly name: string;
  readonly projects: number;
  readonly versions: number;
  readonly places: FoundPackage['places'];
}

async function describe(tx: Transaction, scope: Scope, part: string, packageName: string): Promise<FoundPackage> {
  const of = ecosystem.parse(part);
  const { rows } = await sql<PackageRow>`
    with item as (
      select project_id, id, name, version from tech_stack_items as item
      where ${isListed(scope, 'item')} and ecosystem = ${of} and package_name = ${packageName}
    ), place as (
      select distinct on (lower(projects.name), projects.id) projects.id, projects.name, item.id as item_id, version
      from item join projects on projects.organisation_id = ${scope.organisationId} and projects.id = item.project_id
      order by lower(projects.name), projects.id, version, item.id limit ${maxFound}
    )
    select (select min(name) from item) as name, (select count(distinct project_id) from item)::integer as projects,
      (select count(distinct version) from item)::integer as versions,
      (select jsonb_agg(jsonb_build_object('project', jsonb_build_object('id', id, 'name', name), 'item_id', item_id,
        'version', version) order by lower(name), id) from place) as places`.execute(tx);
  const [row] = rows;
  const places = row?.places ?? [];
  const counts = { projects: row?.projects ?? 0, versions: row?.versions ?? 0 };
  const alerts = await openAlerts(tx, scope, of, packageName);
  return { ...packageRefOf(of, row?.name ?? packageName), ...counts, alerts, places };
}

/** Of each project that tracks it, because the index of alerts by package has the project before. */
async function openAlerts(
  tx: Transaction,
  scope: Scope,
  of: string,
  packageName: string,
): Promise<FoundPackage['alerts']> {
  const { rows } = await sql<FoundPackage['alerts']>`
    select count(*) filter (where tier_rank = 0)::integer as red,
      count(*) filter (where tier_rank = 1)::integer as yellow, count(*) filter (where tier_rank = 2)::integer as green
    from (
      select distinct project_id from tech_stack_items as item
      where ${isListed(scope, 'item')} and ecosystem = ${of} and package_name = ${packageName}
    ) as tracking
    join alerts on ${inScope({ organisationId: scope.organisationId }, 'alerts')}
      and alerts.project_id = tracking.project_id and alerts.ecosystem = ${of} and alerts.package_name = ${packageName}
    where alerts.resolved_at is null`.execute(tx);
  return rows[0] ?? { red: 0, yellow: 0, green: 0 };
}
