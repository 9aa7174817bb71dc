import { packageKey } from '../../shared/packages/package-name.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import { type LoadReleases, neededReleases } from '../registries/needed-releases.js';
import { loadReleases } from '../registries/releases.js';
import type { NamedKey } from '../registries/version-lists.js';
import { targetOf } from './affected-packages.js';
import { type Graph, loadGraph } from './graph.js';
import { type Loaded, loadPlanPackages } from './load-plan.js';
import { type ProjectPlan, planProject } from './project-plan.js';
import { createResolver, type Resolver } from './resolver.js';

/** All that a plan is made of, as it is at one time. */
export interface PlanInputs extends Loaded {
  readonly graph: Graph | null;
  readonly resolver: Resolver;
}

/** Packages that upgrades bring in, at most. */
const maxNames = 1_000;

/** Each round knows what the packages need that the one before has brought in; real projects have two or three. */
const maxRounds = 6;

export async function loadPlanInputs(ctx: Pick<Context, 'tx' | 'now'>, project: ProjectKey): Promise<PlanInputs> {
  const { tx, now } = ctx;
  const loaded = await loadPlanPackages(ctx, project);
  const graph = await loadGraph(tx, project);
  return { ...loaded, graph, resolver: await loadResolver(tx, loaded, graph, now) };
}

/** It knows the answers of registries about the packages of the project, and the proposals where they were not asked. */
async function loadResolver(
  tx: Transaction,
  { packages }: Pick<Loaded, 'packages'>,
  graph: Graph | null,
  now: Date,
): Promise<Resolver> {
  const named = new Map([...(graph?.nodes.values() ?? []), ...packages].map((each) => [packageKey(each), each]));
  const proposed = packages.map((pkg): [string, string[]] => {
    const versions = new Set(pkg.alerts.flatMap((alert) => alert.versions));
    const targets = [...versions].map((version) => targetOf(pkg.ecosystem, version, pkg.advisories, pkg.advice));
    return [packageKey(pkg), [...new Set(targets.flatMap(({ to }) => to ?? []))]];
  });
  return createResolver(await loadReleases(tx, [...named.values()], now), new Map(proposed));
}

/** The plan, made again as long as it brings in packages of which registries have said more than it was made with. */
export async function planWithReleases(
  { packages, graph, resolver }: Omit<PlanInputs, 'beyond'>,
  load: LoadReleases,
): Promise<ProjectPlan> {
  for (let round = 1; ; round += 1) {
    const plan = await planProject(packages, graph, resolver);
    if (round === maxRounds) return plan;
    const { listed } = await neededReleases(load, broughtBy(plan, resolver), maxNames);
    if (listed.size === 0) return plan;
    resolver.learn(listed);
  }
}

/**
 * Packages that the plan of a project brings in, of which no registry has said what they need.
 *
 * @param step runs one short transaction of the project's organisation
 */
export async function broughtIn(
  step: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  project: ProjectKey,
): Promise<readonly NamedKey[]> {
  const now = new Date();
  const inputs = await step((tx) => loadPlanInputs({ tx, now }, project));
  const load: LoadReleases = (names) => step((tx) => loadReleases(tx, names, now));
  const brought = broughtBy(await planWithReleases(inputs, load), inputs.resolver);
  return (await neededReleases(load, brought, maxNames)).names;
}

/** Those that a registry has named, so that it may be asked for them. */
function broughtBy({ after }: ProjectPlan, resolver: Resolver): readonly NamedKey[] {
  return [...after.unlisted.values()].filter((each) => each.isNamed && !resolver.isListed(each));
}
