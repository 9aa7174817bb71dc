import { usageReportLimits } from '../../procedures/usage-report.js';
import { parsePurl, printPurl } from '../../shared/packages/purl.js';
import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite, PackageUse } from '../languages/language-reader.js';
import { groupBy } from '../lockfiles/group-by.js';
import { closestToProduction } from '../lockfiles/scopes.js';
import { classify, type Dependency } from './classify.js';
import { type DependencyGraph, dependencyGraph, packageKey } from './dependency-graph.js';
import { pathFinder } from './dependency-paths.js';
import { findIntroducers } from './introducers.js';
import { siteEvidence, type WireDependency } from './site-evidence.js';
import type { TreeLockfile } from './tree-lockfiles.js';
import { usedNodesFinder } from './used-nodes.js';

export interface Assembled {
  readonly dependencies: WireDependency[];
  /** Packages of the lock files whose name has no package URL; no registry has such names. */
  readonly unnameable: number;
}

/** Joins the packages of the lock files with the places that name them: each package and version once, by its purl. */
export function assemble(lockfiles: readonly TreeLockfile[], uses: readonly PackageUse[]): Assembled {
  const graph = dependencyGraph(lockfiles);
  const purls = graph.nodes.map(({ locked }) => purlOf(locked));
  const found = gather(graph, purls, uses);
  const usages = classify(
    graph,
    found.map(({ dependency }) => dependency),
  );
  const introductionOf = introductionFinder(graph, purls);
  const dependencies = found.map(({ purl, dependency: { nodes, sites } }, index): WireDependency => {
    const usage = usages[index] ?? 'unused';
    const { truncated, ...evidence } = siteEvidence(sites, usage);
    const { truncated: morePaths, ...introduction } = introductionOf(nodes, purl);
    return {
      purl,
      scope: closestToProduction(nodes.map((node) => graph.nodes[node]?.locked.scope)),
      direct: nodes.some((node) => graph.nodes[node]?.direct),
      usage,
      ...evidence,
      ...introduction,
      evidence: evidenceOf(
        sites,
        usage,
        introduction.paths.some(({ length }) => length > 1),
      ),
      truncated: truncated || morePaths,
    };
  });
  dependencies.sort((a, b) => (a.purl < b.purl ? -1 : 1));
  return { dependencies, unnameable: purls.filter((purl) => purl === null).length };
}

interface Named {
  readonly purl: string;
  readonly dependency: Dependency;
}

function gather(graph: DependencyGraph, purls: readonly (string | null)[], uses: readonly PackageUse[]): Named[] {
  const sites = graph.nodes.map(() => [] as PackageSite[]);
  const nodesOf = usedNodesFinder(graph);
  for (const use of uses) for (const node of nodesOf(use)) sites[node]?.push(use.site);
  // A registry may accept two spellings of one name. The service rejects a report that has both.
  const groups = groupBy(graph.nodes.keys(), (node) => {
    const locked = graph.nodes[node]?.locked;
    return locked === undefined ? '' : `${packageKey(locked.ecosystem, locked.name)} ${locked.version}`;
  });
  return [...groups.values()].flatMap((nodes) => {
    const purl = purls[nodes[0] ?? -1] ?? null;
    return purl === null ? [] : { purl, dependency: { nodes, sites: nodes.flatMap((node) => sites[node] ?? []) } };
  });
}

type Introduction = Pick<WireDependency, 'introduced_by' | 'paths' | 'truncated'>;

/** Finds how packages come into the project: the direct dependencies that bring them in, and the paths from those. */
function introductionFinder(
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

function evidenceOf(sites: readonly PackageSite[], usage: ReportedUsage, hasPath: boolean): WireDependency['evidence'] {
  if (sites.some(({ kind }) => kind !== 'mention')) return 'import';
  if (sites.length > 0) return 'mention';
  return usage === 'unused' || !(hasPath || usage === 'mentioned') ? 'none' : 'graph';
}

/** Null where reading the purl would not give the same package again. */
function purlOf({ ecosystem, name, version }: DependencyGraph['nodes'][number]['locked']): string | null {
  try {
    const purl = printPurl({ ecosystem, name, version });
    const read = parsePurl(purl);
    const isSame = read !== null && packageKey(read.ecosystem, read.name) === packageKey(ecosystem, name);
    return isSame && read.version === version ? purl : null;
  } catch {
    // A lone surrogate cannot be percent-encoded.
    return null;
  }
}
