import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite } from '../languages/language-reader.js';
import { groupBy } from '../lockfiles/group-by.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';

/** A package at one version: its entries in the lock files, and the sites that name it. */
export interface Dependency {
  /** Indexes in the graph's `nodes`. */
  readonly nodes: readonly number[];
  readonly sites: readonly PackageSite[];
}

/**
 * How each dependency is used, as `verdict/usage.ts` defines it; in the order of `dependencies`.
 * - The sites of the dependency itself come first (`usageBySites`).
 * - A direct dependency may be loaded by name at run time by a package that production uses. This package names it as a peer
 *   (an ORM its drivers), or is named by it as a peer (a plugin its host). Then it is at least `mentioned`. The peers and
 *   plugins of tooling are at least `tooling`.
 * - What a used dependency depends on is `transitive`. So is everything in a lock file without edges.
 * - The rest is `unused`, including what only unused packages bring in.
 */
export function classify(graph: DependencyGraph, dependencies: readonly Dependency[]): ReportedUsage[] {
  const usages = dependencies.map(({ sites }) => usageBySites(sites));
  const dependencyAt = new Map(dependencies.flatMap(({ nodes }, index) => nodes.map((node) => [node, index])));
  markPeers(graph, dependencies, dependencyAt, usages);

  const used = dependencies.flatMap(({ nodes }, index) => (usages[index] === null ? [] : nodes));
  const needed = neededBy(graph, used);
  return dependencies.map(({ nodes }, index) => {
    const isTransitive = nodes.some((node) => needed.has(node) || hasUnknownDependents(graph, node));
    return usages[index] ?? (isTransitive ? 'transitive' : 'unused');
  });
}

/** The usage that a package's sites show; null where there are none. Mocks, and mentions in tests, are tooling. */
function usageBySites(sites: readonly PackageSite[]): ReportedUsage | null {
  const imports = sites.filter(({ kind, role, mock }) => role === 'prod' && kind !== 'mention' && !mock);
  const values = imports.filter(({ typeOnly }) => !typeOnly);
  if (values.length > 0) return values.some(({ reached }) => reached) ? 'reached' : 'imported';
  if (sites.some(({ kind, role }) => kind === 'mention' && (role === 'prod' || role === 'config'))) return 'mentioned';
  if (imports.length > 0) return 'type_only';
  return sites.length > 0 ? 'tooling' : null;
}

const inProduction: ReadonlySet<ReportedUsage | null> = new Set<ReportedUsage>(['reached', 'imported', 'mentioned']);

function markPeers(
  { nodes }: DependencyGraph,
  dependencies: readonly Dependency[],
  dependencyAt: ReadonlyMap<number, number>,
  usages: (ReportedUsage | null)[],
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
    const copies = dependencies[index]?.nodes ?? [];
    const peers = copies.flatMap(peersOf).flatMap((peer) => directByName.get(peer) ?? []);
    const plugins = [...new Set(copies.map(nameOf))].flatMap((name) => pluginsByHost.get(name) ?? []);
    const least = inProduction.has(usages[index] ?? null) ? 'mentioned' : 'tooling';
    for (const node of [...peers, ...plugins.map(({ node }) => node)]) {
      const other = dependencyAt.get(node);
      const present = other === undefined ? null : (usages[other] ?? null);
      // A driver that tests use may also be loaded in production.
      if (other === undefined || inProduction.has(present) || (present !== null && least === 'tooling')) continue;
      usages[other] = least;
      waiting.push(other);
    }
  }
}

/** All that the nodes depend on, directly or not. */
function neededBy({ nodes }: DependencyGraph, start: readonly number[]): ReadonlySet<number> {
  const needed = new Set(start.flatMap((node) => nodes[node]?.targets ?? []));
  // A set also visits what is added to it meanwhile.
  for (const node of needed) for (const target of nodes[node]?.targets ?? []) needed.add(target);
  return needed;
}

/** Whether another package may depend on it although the lock file does not say so. */
function hasUnknownDependents({ nodes, withEdges }: DependencyGraph, node: number): boolean {
  const lockfile = nodes[node]?.lockfile;
  return lockfile !== undefined && !withEdges.has(lockfile);
}
