import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { identityOf } from '../tech-stack/stack-package.js';
import { isOfNpm } from './edits.js';
import { belowMoved, type Graph, type IsKept, type IsPlace, keptPackages, placeOf } from './kept-packages.js';
import type { Loaded, StackPlace } from './load-plan.js';
import {
  type PackagePlan,
  type PlanAlert,
  type PlannedUpgrade,
  planPackage,
  type Stay,
  type Weight,
  weightOf,
} from './plan-upgrades.js';
import type { Surroundings } from './planned-step.js';
import { type Fate, isHeld, replay } from './replay.js';

/** An upgrade, and what comes of the alerts on its package. */
export interface ProjectUpgrade extends PlannedUpgrade, Weight {
  readonly scope: Scope | null;
  readonly mayClose: number;
  readonly leaves: number;
  readonly isOfNpm: boolean;
}

type Planned = Loaded['packages'];

/** An alert that no step closes. */
export interface OpenAfter {
  readonly alert: PlanAlert;
  readonly why: Stay['why'] | 'parent_moves';
  readonly to: string | null;
  readonly bundledIn: string | null;
}

/** The plan of a project before it is cut to what one answer names. */
interface ProjectPlan {
  readonly upgrades: readonly ProjectUpgrade[];
  readonly stays: readonly OpenAfter[];
  /** By the alert's id. */
  readonly fates: ReadonlyMap<string, Fate>;
}

/**
 * The plan of all packages, and the fate of each alert. What carries others in its archive may itself move, which is known only when
 * all is planned once: then they are planned again.
 */
export async function planProject(packages: Planned, graph: Graph | null): Promise<ProjectPlan> {
  const pause = yieldToEventLoop();
  let isKept: IsKept = () => true;
  let isBelow: IsPlace = () => false;
  const isCarrier: IsPlace = (source, identity) => graph?.carriers.has(placeOf(source, identity)) ?? false;
  let plans: PackagePlan[] = [];
  for (const _round of ['all stay', 'what moves is known']) {
    const around = surroundings(isKept, isBelow, isCarrier);
    plans = [];
    const moved = new Set<string>();
    for (const each of packages) {
      await pause();
      const plan = planPackage(each, around);
      plans.push(plan);
      const from = new Set(plan.upgrade?.steps.map((step) => step.from));
      const places = each.places.filter(({ version }) => from.has(version));
      for (const place of places) moved.add(placeOf(place.source, identityOf(place)));
    }
    isKept = await keptPackages(graph, moved);
    isBelow = await belowMoved(graph, moved);
  }
  const upgrades: ProjectUpgrade[] = [];
  const stays: OpenAfter[] = [];
  const fates = new Map<string, Fate>();
  for (const [nth, each] of packages.entries()) {
    await pause();
    const { upgrade, stays: left } = plans[nth] ?? { upgrade: null, stays: [] };
    const fateOf = replay(each, upgrade?.steps ?? [], isKept);
    const having = (fate: Fate) => each.alerts.filter(({ id }) => fateOf.get(id) === fate);
    const [closed, unknown] = [having('closed'), having('unknown')];
    for (const [id, fate] of fateOf) fates.set(id, fate);
    for (const { alert, why, to } of left) {
      const bundledIn = why === 'bundled' ? holderOf(each, alert, isKept) : null;
      stays.push({ alert, to, bundledIn, why: fateOf.get(alert.id) === 'unknown' ? 'parent_moves' : why });
    }
    if (upgrade === null) continue;
    const leaves = each.alerts.length - closed.length - unknown.length;
    const ofNpm = each.places.some(({ source }) => isOfNpm(source));
    const scope = scopeOf(each.places, upgrade);
    upgrades.push({
      ...upgrade,
      ...weightOf(upgrade.closed),
      closes: closed.length,
      mayClose: unknown.length,
      leaves,
      scope,
      isOfNpm: ofNpm,
    });
  }
  return { upgrades, stays, fates };
}

function surroundings(isKept: IsKept, isBelow: IsPlace, isCarrier: IsPlace): Surroundings {
  return {
    isHeld: (place) => isHeld(place, isKept),
    isCarrier: (place) => isCarrier(place.source, identityOf(place)),
    isBelowMoved: (place) => isBelow(place.source, identityOf(place)),
  };
}

/** The package URL of what stays and carries an affected copy in its archive. */
function holderOf({ places }: Planned[number], { ecosystem, versions }: PlanAlert, isKept: IsKept): string | null {
  const held = places.filter((place) => versions.includes(place.version) && isHeld(place, isKept));
  const [holder] = held.flatMap(({ source, bundled_in }) => bundled_in?.filter((key) => isKept(source, key)) ?? []);
  const [, name, version] = holder?.split(' ') ?? [];
  return name === undefined || version === undefined ? null : printPurl({ ecosystem, name, version });
}

/** The nearest to production of the versions that move. */
function scopeOf(places: readonly StackPlace[], { steps }: PlannedUpgrade): Scope | null {
  const moved = new Set(steps.map(({ from }) => from));
  const found = new Set(places.filter(({ version }) => moved.has(version)).map(({ scope }) => scope));
  return (['runtime', 'optional', 'development'] as const).find((scope) => found.has(scope)) ?? null;
}
