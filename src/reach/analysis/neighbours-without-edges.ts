import type { DependencyGraph } from './dependency-graph.js';
import type { TreeLockfile } from './tree-lockfiles.js';

const none: readonly number[] = [];

/**
 * For an entry of a lock file without edges: all its entries, since it may depend on any. In other lock files, those that
 * something may bring in although no edge says so. What production installs does not depend on what is only for
 * development. Entries with the same answer get the same list.
 */
export function neighboursWithoutEdges({ nodes, withEdges }: DependencyGraph): (node: number) => readonly number[] {
  const lists = new Map<TreeLockfile, { readonly all: number[]; readonly production: number[] }>();
  for (const [node, { lockfile, locked }] of nodes.entries()) {
    if (withEdges.has(lockfile) && locked.hasHiddenDependents !== true) continue;
    const { all, production } = lists.get(lockfile) ?? { all: [], production: [] };
    all.push(node);
    if (locked.scope !== 'development') production.push(node);
    lists.set(lockfile, { all, production });
  }
  return (node) => {
    const { lockfile, locked } = nodes[node] ?? {};
    const list = lockfile === undefined ? undefined : lists.get(lockfile);
    if (list === undefined) return none;
    return locked?.scope === 'development' ? list.all : list.production;
  };
}
