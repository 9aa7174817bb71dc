import type { UsageReport } from '../../procedures/usage-report.js';
import type { PackageSite } from '../languages/language-reader.js';
import { groupBy } from '../lockfiles/group-by.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';

export type Usage = UsageReport['dependencies'][number]['usage'];

/** A package at one version: its entries in the lock files, and the places that name it. */
export interface Dependency {
  /** Places in the graph's `nodes`. */
  readonly nodes: readonly number[];
  readonly sites: readonly PackageSite[];
}

/**
 * How each dependency is used, in the meaning of `verdict/usage.ts`; answers in the order of `dependencies`.
 * - What its own sites show comes first (`usageBySites`).
 * - A package that the project asks for is at least `mentioned` where one that production uses knows it as a peer (an
 *   ORM its drivers), or it knows such a one as its peer (a plugin its host): it may be loaded by name at run time. With
 *   the peers and plugins of tooling it is at least `tooling`.
 * - What a dependency that is not `unused` depends on is `transitive`, and so is what a lock file without edges lists.
 * - The rest is `unused`, with all that only unused packages bring in.
 */
export function classify(graph: DependencyGraph, dependencies: readonly Dependency[]): Usage[] {
  const usages = dependencies.map(({ sites }) => usageBySites(sites));
  const dependencyAt = new Map(dependencies.flatMap(({ nodes }, index) => nodes.map((node) => [node, index])));
  markPeers(graph, dependencies, dependencyAt, usages);

  const used = dependencies.flatMap(({ nodes }, index) => (usages[index] === null ? [] : nodes));
  const reached = reachableFrom(graph, used);
  return dependencies.map(({ nodes }, index) => {
    const isTransitive = nodes.some((node) => reached.has(node) || hasUnknownDependents(graph, node));
    return usages[index] ?? (isTransitive ? 'transitive' : 'unused');
  });
}

/** What the places that name a package say; null where there are none. Mocks and mentions in tests are tooling. */
function usageBySites(sites: readonly PackageSite[]): Usage | null {
  const imports = sites.filter(({ kind, role, mock }) => role === 'prod' && kind !== 'mention' && !mock);
  const values = imports.filter(({ typeOnly }) => !typeOnly);
  if (values.length > 0) return values.some(({ reached }) => reached) ? 'reached' : 'imported';
  if (sites.some(({ kind, role }) => kind === 'mention' && (role === 'prod' || role === 'config'))) return 'mentioned';
  if (imports.length > 0) return 'type_only';
  return sites.length > 0 ? 'tooling' : null;
}

const inProduction: ReadonlySet<Usage | null> = new Set<Usage>(['reached', 'imported', 'mentioned']);

function markPeers(
  { nodes }: DependencyGraph,
  dependencies: readonly Dependency[],
  dependencyAt: ReadonlyMap<number, number>,
  usages: (Usage | null)[],
): void {
  const nameOf = (node: number) => {
    const locked = nodes[node]?.locked;
    return locked === undefined ? '' : packageKey(locked.ecosystem, locked.name);
  };
  const peersOf = (node: number) => {
    const locked = nodes[node]?.locked;
    return (locked?.peers ?? []).map((peer) => packageKey(locked?.ecosystem ?? 'npm', peer));
  };
  const direct = [...nodes.keys()].filter((node) => nodes[node]?.direct);
  const directByName = groupBy(direct, nameOf);
  const pluginsByHost = groupBy(
    direct.flatMap((node) => peersOf(node).map((host) => ({ node, host }))),
    ({ host }) => host,
  );
  const waiting = [...usages.keys()].filter((index) => usages[index] !== null);
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const own = dependencies[index]?.nodes ?? [];
    const peers = own.flatMap(peersOf).flatMap((peer) => directByName.get(peer) ?? []);
    const plugins = [...new Set(own.map(nameOf))].flatMap((name) => pluginsByHost.get(name) ?? []);
    const least = inProduction.has(usages[index] ?? null) ? 'mentioned' : 'tooling';
    for (const node of [...peers, ...plugins.map(({ node }) => node)]) {
      const other = dependencyAt.get(node);
      const present = other === undefined ? null : (usages[other] ?? null);
      // How tests use a driver says nothing of what production loads.
      if (other === undefined || inProduction.has(present) || (present !== null && least === 'tooling')) continue;
      usages[other] = least;
      waiting.push(other);
    }
  }
}

function reachableFrom({ nodes }: DependencyGraph, start: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const waiting = [...start];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const target of nodes[node]?.targets ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  return reached;
}

/** Whether another package may need it without the lock file telling. */
function hasUnknownDependents({ nodes, withEdges }: DependencyGraph, node: number): boolean {
  const lockfile = nodes[node]?.lockfile;
  return lockfile !== undefined && !withEdges.has(lockfile);
}
