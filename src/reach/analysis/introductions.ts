import { usageReportLimits } from '../../procedures/usage-report.js';
import type { DependencyGraph } from './dependency-graph.js';
import { pathFinder } from './dependency-paths.js';
import { findIntroducers } from './introducers.js';
import type { WireDependency } from './site-evidence.js';

type Introduction = Pick<WireDependency, 'introduced_by' | 'paths' | 'truncated'>;

/** Finds how packages come into the project: the direct dependencies that bring them in, and the paths from those. */
export function introductionFinder(
  graph: DependencyGraph,
  purls: readonly (string | null)[],
): (nodes: readonly number[], purl: string) => Introduction {
  const introducers = findIntroducers(graph, usageReportLimits.symbols);
  const findPaths = pathFinder(graph);
  const order = orderOf(purls);
  // Several copies of one package give paths with the same names.
  const maxPaths = usageReportLimits.paths * 4;
  return (nodes, purl) => {
    const ranks = new Set<number>();
    for (const node of nodes) for (const introducer of introducers.of(node)) ranks.add(order.ranks[introducer] ?? 0);
    const introduced = [...ranks].sort((a, b) => a - b).flatMap((rank) => order.purls[rank] ?? []);
    const others = introduced.filter((other) => other !== purl);
    const { paths, complete } = findPaths(nodes, maxPaths);
    const distinct = new Map<string, string[]>();
    for (const path of paths) {
      const names = path.flatMap((node) => purls[node] ?? []);
      distinct.set(names.join(' '), names);
    }
    return {
      introduced_by: others.slice(0, usageReportLimits.symbols),
      paths: [...distinct.values()].slice(0, usageReportLimits.paths),
      truncated:
        !complete ||
        distinct.size > usageReportLimits.paths ||
        others.length > usageReportLimits.symbols ||
        !nodes.every(introducers.complete),
    };
  };
}

/** The names in their order, and the place there of each entry's name: numbers are compared faster than texts. */
function orderOf(purls: readonly (string | null)[]) {
  const sorted = [...new Set(purls)].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
  const places = new Map(sorted.map((purl, at) => [purl, at]));
  return { purls: sorted, ranks: purls.map((purl) => places.get(purl) ?? 0) };
}
