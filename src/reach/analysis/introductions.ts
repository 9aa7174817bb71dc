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
  // Several copies of one package give paths with the same names.
  const maxPaths = usageReportLimits.paths * 4;
  return (nodes, purl) => {
    const names = (path: readonly number[]) => path.flatMap((node) => purls[node] ?? []);
    const introduced = new Set(names(nodes.flatMap(introducers.of)));
    introduced.delete(purl);
    const { paths, complete } = findPaths(nodes, maxPaths);
    const distinct = [...new Map(paths.map((path) => [names(path).join(' '), names(path)])).values()];
    return {
      introduced_by: [...introduced].sort().slice(0, usageReportLimits.symbols),
      paths: distinct.slice(0, usageReportLimits.paths),
      truncated:
        !complete ||
        distinct.length > usageReportLimits.paths ||
        introduced.size > usageReportLimits.symbols ||
        !nodes.every(introducers.complete),
    };
  };
}
