import { sql } from 'kysely';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { urgency } from '../alerts/list-alerts.js';
import { loadAdvisories } from '../alerts/load-intelligence.js';
import { loadAdvice } from '../alerts/package-advice.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { askersOf, type Place } from './edits.js';
import type { PlanAlert, PlanPackage } from './plan-alerts.js';

/** Alerts and packages of one plan, at most; the worst are in it. Known projects have a tenth. */
const maxAlerts = 5_000;
const maxPackages = 500;

export interface StackPlace extends Place {
  readonly scope: Scope;
}

export interface PlacedPackage extends PlanPackage {
  readonly places: readonly StackPlace[];
}

export interface Loaded {
  readonly packages: readonly PlacedPackage[];
  /** Unresolved alerts that are in none of the packages. */
  readonly beyond: number;
}

/** The packages of a project that have unresolved alerts, those with the worst first. */
export async function loadPlanPackages({ tx, now }: Pick<Context, 'tx' | 'now'>, project: ProjectKey): Promise<Loaded> {
  const { rows } = await sql<PlanAlert & { readonly total: number }>`
    select id, ecosystem, package_name, name, vulnerability_id, versions, advisory_ids, tier, effective_priority, kev_added,
      (count(*) over ())::int as total
    from alerts where ${inScope(project)} and resolved_at is null
    order by alerts.effective_priority desc nulls last, ${urgency}
    limit ${maxAlerts}`.execute(tx);
  const groups = new Map<string, [PlanAlert, ...PlanAlert[]]>();
  for (const { total: _all, ...alert } of rows) {
    const group = groups.get(keyOf(alert));
    if (group !== undefined) group.push(alert);
    else if (groups.size < maxPackages) groups.set(keyOf(alert), [alert]);
  }
  const taken = [...groups.values()];
  const wanted = taken.map(([{ ecosystem, package_name }]) => ({ ecosystem, package_name }));
  const advisories = await loadAdvisories(tx, wanted);
  const places = await loadPlaces(tx, project, wanted);
  const advice = await loadAdvice({ tx, organisationId: project.organisationId, now }, wanted);
  const packages = taken.flatMap((alerts, nth) => {
    const own = advice[nth];
    const [{ ecosystem, package_name }] = alerts;
    const there = places.get(keyOf(alerts[0])) ?? [];
    const facts = { ecosystem, package_name, alerts, advisories: advisories[nth] ?? [], places: there };
    return own === undefined ? [] : [{ ...facts, advice: own }];
  });
  const planned = taken.reduce((sum, { length }) => sum + length, 0);
  return { packages, beyond: (rows[0]?.total ?? 0) - planned };
}

type Named = Pick<PlanAlert, 'ecosystem' | 'package_name'>;

async function loadPlaces(
  tx: Transaction,
  project: ProjectKey,
  wanted: readonly Named[],
): Promise<ReadonlyMap<string, readonly StackPlace[]>> {
  const [ecosystems, names] = [wanted.map(({ ecosystem }) => ecosystem), wanted.map((each) => each.package_name)];
  const { rows } = await sql<StackPlace>`
    with needed as (
      select distinct source, unnest(dependencies) as key from tech_stack_items where ${inScope(project)}
    )
    select source, ecosystem, package_name, name, version, direct, scope, bundled_in, asked_by,
      (select tool from stack_sources as held where ${inScope(project, 'held')} and held.source = item.source) as tool,
      (source, ecosystem || ' ' || package_name || ' ' || version) in (select source, key from needed) as needed
    from tech_stack_items as item
    where ${inScope(project)}
      and (ecosystem, package_name) in (select * from unnest(${ecosystems}::text[], ${names}::text[]))
    order by source, version`.execute(tx);
  const places = new Map<string, StackPlace[]>();
  for (const row of rows) {
    const place = { ...row, ...askersOf(row.asked_by) };
    const known = places.get(keyOf(row));
    if (known === undefined) places.set(keyOf(row), [place]);
    else known.push(place);
  }
  return places;
}

function keyOf({ ecosystem, package_name }: Named): string {
  return `${ecosystem} ${package_name}`;
}
