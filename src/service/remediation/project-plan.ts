import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { partsOf } from './edit-rules.js';
import { type Afterwards, type Fate, fatesOf } from './fates.js';
import { type Graph, type Installed, packageIn, sourceOf } from './graph.js';
import { type Demand, demandsOf, isRefusable, liftStep } from './lifts.js';
import type { Loaded, PlacedPackage } from './load-plan.js';
import { type PackagePlan, planPackage, type Surroundings } from './package-plan.js';
import type { EditedStep } from './planned-step.js';
import { type Reach, reachOf } from './reach.js';
import { replay, type Unlisted } from './replay.js';
import type { Resolver } from './resolver.js';

/** How one package goes, and what comes of its alerts. */
export interface Planned {
  readonly pkg: PlacedPackage;
  readonly plan: PackagePlan;
  readonly fates: ReadonlyMap<string, Fate>;
}

/** The plan of a project before it is cut to what one answer names. */
export interface ProjectPlan {
  readonly packages: readonly Planned[];
  /** The direct dependencies that change, by place. */
  readonly lifted: ReadonlyMap<string, { readonly node: Installed; readonly step: EditedStep }>;
  /** The packages that the tools are asked to renew inside the ranges, by `packageIn`. */
  readonly refreshed: ReadonlyMap<string, Installed>;
  readonly after: Afterwards;
  /** Null where the graph is too large to be read. */
  readonly reach: Reach | null;
}

/** A plan is made again while its replay shows that something does not hold. In real projects twice, seldom three times. */
const maxRounds = 6;

/**
 * The plan of all packages, and the fate of each alert. It is made, replayed over the graph, and made again with what the replay has
 * shown: an archive whose owner moves, and packages that only an override brings to a good version.
 */
export async function planProject(
  packages: Loaded['packages'],
  graph: Graph | null,
  resolver: Resolver,
): Promise<ProjectPlan> {
  const forced = new Set<string>();
  const known = graph === null ? null : { graph, reach: reachOf(graph, resolver) };
  let kept: Surroundings['isKept'] = () => true;
  for (let round = 1; ; round += 1) {
    const isForced: Surroundings['isForced'] = (pkg) => forced.has(packageKey(pkg));
    const project = await planOnce(packages, { known, resolver, isKept: kept, isForced });
    const isNew = project.failed.filter((pkg) => !isForced(pkg));
    if (round === maxRounds || (round > 1 && isNew.length === 0)) {
      return withoutNeedless(graph === null ? project : withDoubts(project, graph, resolver));
    }
    for (const pkg of isNew) forced.add(packageKey(pkg));
    kept = keptAfter(project.after, graph);
  }
}

/**
 * The plan in which nothing is sure to close in a source whose tool may refuse all edits, or leaves some packages as
 * they are locked, as Bun does below those from archives.
 */
function withDoubts(project: ProjectPlan, graph: Graph, resolver: Resolver): ProjectPlan {
  const nodes = [...project.lifted.values()].map(({ node }) => node);
  const doubtful = new Set([
    ...nodes.flatMap((node) => (isRefusable(graph, resolver, node) ? node.source : [])),
    ...[...graph.nodes.values()].flatMap(({ source, bundledIn }) =>
      bundledIn !== null && partsOf(source).file === 'bun.lock' ? source : [],
    ),
  ]);
  const packages = project.packages.map((planned) => {
    if (!planned.pkg.places.some(({ source }) => doubtful.has(source))) return planned;
    const fates = [...planned.fates].map(([id, fate]) => [id, fate === 'closed' ? 'unknown' : fate] as const);
    return { ...planned, fates: new Map(fates) };
  });
  return { ...project, packages };
}

/** The plan without overrides of packages that nothing asks for any more: their dependents have moved. */
function withoutNeedless(project: ProjectPlan): ProjectPlan {
  const { outcome, moves, touched } = project.after;
  if (outcome === null) return project;
  const isGone = ({ pkg }: Planned) =>
    pkg.places.every(({ source }) => touched.has(source) && !outcome.has(packageIn(source, pkg)));
  const gone = new Set(project.packages.filter(isGone));
  const overrides = new Map(moves.overrides);
  const packages = project.packages.map((planned) => {
    if (!gone.has(planned)) return planned;
    for (const { source } of planned.pkg.places) overrides.delete(packageIn(source, planned.pkg));
    const moved = [...planned.plan.moved].map(([version, move]) => [version, { ...move, step: null }] as const);
    return { ...planned, plan: { ...planned.plan, moved: new Map(moved) } };
  });
  return { ...project, packages, after: { ...project.after, moves: { ...moves, overrides } } };
}

/** True for a place that is sure to keep its version. If the graph is not known, these are the places of sources in which nothing moves. */
function keptAfter({ outcome, touched }: Afterwards, graph: Graph | null): Surroundings['isKept'] {
  return (place) => {
    if (!touched.has(sourceOf(place))) return true;
    const node = graph?.nodes.get(place);
    if (node === undefined) return false;
    return outcome?.get(packageIn(node.source, node))?.get(node.version) === true;
  };
}

interface Once extends ProjectPlan {
  /** Packages that did not come to a good version by the ways that were chosen. */
  readonly failed: readonly PlacedPackage[];
}

async function planOnce(packages: Loaded['packages'], around: Surroundings): Promise<Once> {
  const { known, resolver } = around;
  const graph = known?.graph ?? null;
  const pause = yieldToEventLoop();
  const plans: PackagePlan[] = [];
  for (const pkg of packages) {
    await pause();
    plans.push(planPackage(pkg, around));
  }
  const moved = plans.flatMap((plan) => [...plan.moved.values()]);
  const ways = moved.flatMap((each) => each.ways);
  const refreshed = new Map(ways.flatMap((way) => [...way.refreshed]));
  const lifted = new Map<string, { node: Installed; step: EditedStep }>();
  const unmet = new Set<Installed>();
  const targetIn = targetsOf(packages, plans);
  const overridden = new Set(moved.flatMap(({ step }) => [...(step?.overrides.keys() ?? [])]));
  const factsOf = (node: Installed) => ({
    target: targetIn(node),
    isOverridden: overridden.has(packageIn(node.source, node)),
  });
  for (const demand of graph === null
    ? []
    : demandsOf(
        ways.flatMap(({ lifts }) => lifts),
        factsOf,
      )) {
    await pause();
    const step = graph === null ? null : liftStep(graph, resolver, demand);
    if (step === null) unmet.add(demand.node);
    else lifted.set(demand.node.place, { node: demand.node, step });
  }
  const steps = [...moved.flatMap(({ step }) => step ?? []), ...[...lifted.values()].map(({ step }) => step)];
  const overrides = new Map<string, EditedStep['overrides'] extends ReadonlyMap<string, infer Each> ? Each[] : never>();
  for (const step of steps) {
    for (const [key, override] of step.overrides) overrides.set(key, [...(overrides.get(key) ?? []), override]);
  }
  const moves = {
    refreshed: new Set(refreshed.keys()),
    own: new Map(steps.flatMap(({ own }) => [...own])),
    overrides,
  };
  const touched = new Set([...moves.refreshed, ...moves.own.keys(), ...overrides.keys()].map(sourceOf));
  const replayed = graph === null || touched.size === 0 ? null : await replay(graph, resolver, moves);
  const after = {
    outcome: replayed?.outcome ?? null,
    unlisted: replayed?.unlisted ?? new Map<string, Unlisted>(),
    ...{ moves, touched },
  };
  const planned: Planned[] = [];
  const failed: PlacedPackage[] = [];
  for (const [nth, pkg] of packages.entries()) {
    await pause();
    const plan = plans[nth];
    if (plan === undefined) continue;
    const fates = fatesOf(pkg, plan, after);
    planned.push({ pkg, plan, fates });
    if (hasFailed(plan, fates, after.unlisted.size === 0 ? resolver : null, unmet)) failed.push(pkg);
  }
  return { packages: planned, lifted, refreshed, after, reach: known?.reach ?? null, failed };
}

/** The targets of the alerts that a direct dependency has itself. */
function targetsOf(packages: Loaded['packages'], plans: readonly PackagePlan[]) {
  const byPackage = new Map(packages.map((pkg, nth) => [packageKey(pkg), plans[nth]] as const));
  return (node: Installed): Demand['target'] =>
    byPackage.get(packageKey(node))?.moved.get(node.version)?.target ?? null;
}

/**
 * A way has failed if the registries have said all that it depends on and it still does not close its alerts.
 *
 * @param resolver null where something unlisted came in, so that not all is known
 */
function hasFailed(
  { moved, stays }: PackagePlan,
  fates: ReadonlyMap<string, Fate>,
  resolver: Resolver | null,
  unmet: ReadonlySet<Installed>,
): boolean {
  const ways = [...moved.values()].flatMap((each) => each.ways);
  if (ways.length === 0) return false;
  if (ways.some(({ lifts }) => lifts.some(({ node }) => unmet.has(node)))) return true;
  const open = [...fates].filter(([id, fate]) => fate !== 'closed' && !stays.has(id)).map(([, fate]) => fate);
  const nodes = ways.flatMap(({ refreshed, lifts }) => [...refreshed.values(), ...lifts.map(({ node }) => node)]);
  return (
    open.includes('left') || (open.length > 0 && resolver !== null && nodes.every((node) => resolver.isListed(node)))
  );
}
