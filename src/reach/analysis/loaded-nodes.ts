import { type DependencyGraph, packageKey } from './dependency-graph.js';
import type { ChainLink, LoadingEvidence } from './loading.js';
import type { PackageIndex } from './package-index.js';

/**
 * The entries of the lock files that are loaded, each with the shortest chain that is known. A version that no lock file has
 * means every version: what is installed differs from what is locked.
 */
export function loadedNodes(
  { nodes }: DependencyGraph,
  index: PackageIndex,
  loading: readonly LoadingEvidence[],
): ReadonlyMap<number, readonly ChainLink[]> {
  const found = new Map<number, readonly ChainLink[]>();
  for (const { ecosystem, name, version, chain } of loading.flatMap(({ loaded }) => loaded)) {
    const copies = [...index.candidates(packageKey(ecosystem, name)).values()].flatMap((some) =>
      some.map(({ node }) => node),
    );
    const same = copies.filter((node) => nodes[node]?.locked.version === version);
    for (const node of same.length > 0 ? same : copies) {
      const before = found.get(node) ?? [];
      // An empty chain says only that it was loaded.
      if (before.length === 0 || (chain.length > 0 && chain.length < before.length)) found.set(node, chain);
    }
  }
  return found;
}
