import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { parsePurl, printPurl } from '../../shared/packages/purl.js';
import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite, PackageUse } from '../languages/language-reader.js';
import { groupBy } from '../lockfiles/group-by.js';
import { closestToProduction } from '../lockfiles/scopes.js';
import { chainFinder, type ReachedFiles, toWireChain } from './chains.js';
import { classify, type Dependency } from './classify.js';
import { type DependencyGraph, dependencyGraph, packageKey } from './dependency-graph.js';
import { gatherEvidence } from './evidence.js';
import { type CountedGap, type FoundGap, reasonsOf } from './found-gap.js';
import { introductionFinder } from './introductions.js';
import type { LoadingEvidence } from './loading.js';
import { PackageIndex } from './package-index.js';
import { siteEvidence, type WireDependency } from './site-evidence.js';
import type { TreeLockfile } from './tree-lockfiles.js';
import type { SourcesByEcosystem } from './unsearched.js';
import { usedNodesFinder } from './used-nodes.js';

/** What is known besides the lock files and the uses. */
export interface Searched {
  /** Where uses may be hidden. */
  readonly gaps: readonly FoundGap[];
  readonly loading: readonly LoadingEvidence[];
  readonly reachedFiles: ReachedFiles;
  /** Null where the source of every package was read. */
  readonly sources: SourcesByEcosystem | null;
}

export interface Assembled {
  readonly dependencies: WireDependency[];
  /** The ecosystem of each of them. */
  readonly ecosystems: readonly Ecosystem[];
  /** All gaps: those that were given, and those that the lock files have. */
  readonly gaps: readonly CountedGap[];
  /** Packages of the lock files whose name has no package URL; no registry has such names. */
  readonly unnameable: number;
}

const everything: Searched = { gaps: [], loading: [], reachedFiles: new Map(), sources: null };

/** Joins the packages of the lock files with the places that name them: each package and version once, by its purl. */
export function assemble(
  lockfiles: readonly TreeLockfile[],
  uses: readonly PackageUse[],
  searched: Partial<Searched> = {},
): Assembled {
  const { gaps: given, loading, reachedFiles, sources } = { ...everything, ...searched };
  const graph = dependencyGraph(lockfiles);
  const index = new PackageIndex(graph);
  const purls = graph.nodes.map(({ locked }) => purlOf(locked));
  const sites = sitesOf(graph, index, uses);
  const { evidence, chains, gaps } = gatherEvidence(graph, index, sites, given, loading, sources);
  const introductionOf = introductionFinder(graph, purls);
  const chainTo = chainFinder(reachedFiles);
  const found = named(graph, purls, sites).map(
    ({ purl, dependency }): { ecosystem: Ecosystem; wire: WireDependency } => {
      const { nodes, ecosystem } = dependency;
      const { usage, confidence, gaps: hiding } = classify(dependency, evidence);
      const { truncated, ...siteFields } = siteEvidence(dependency.sites, usage);
      const { truncated: morePaths, ...introduction } = introductionOf(nodes, purl);
      const loadedBy = nodes.map((node) => chains.get(node) ?? []).find(({ length }) => length > 0);
      const chain = chainTo(dependency.sites) ?? loadedBy;
      const hasPath = introduction.paths.some(({ length }) => length > 1);
      const wire: WireDependency = {
        purl,
        scope: dependency.scope,
        direct: nodes.some((node) => graph.nodes[node]?.direct),
        usage,
        ...siteFields,
        ...introduction,
        evidence: evidenceOf(dependency.sites, usage, hasPath),
        confidence,
        gaps: reasonsOf(hiding),
        ...(chain !== undefined && { chain: toWireChain(chain) }),
        truncated: truncated || morePaths,
      };
      return { ecosystem, wire };
    },
  );
  found.sort((a, b) => (a.wire.purl < b.wire.purl ? -1 : 1));
  return {
    dependencies: found.map(({ wire }) => wire),
    ecosystems: found.map(({ ecosystem }) => ecosystem),
    gaps,
    unnameable: purls.filter((purl) => purl === null).length,
  };
}

/** The sites of each entry of the lock files. */
function sitesOf(graph: DependencyGraph, index: PackageIndex, uses: readonly PackageUse[]): PackageSite[][] {
  const sites = graph.nodes.map((): PackageSite[] => []);
  const nodesOf = usedNodesFinder(index);
  for (const { ecosystem, packageName, site } of uses) {
    for (const node of nodesOf(ecosystem, packageName, site.file)) sites[node]?.push(site);
  }
  return sites;
}

interface Named {
  readonly purl: string;
  readonly dependency: Dependency;
}

function named(graph: DependencyGraph, purls: readonly (string | null)[], sites: readonly PackageSite[][]): Named[] {
  // A registry may accept two spellings of one name. The service rejects a report that has both.
  const groups = groupBy(graph.nodes.keys(), (node) => {
    const locked = graph.nodes[node]?.locked;
    return locked === undefined ? '' : `${packageKey(locked.ecosystem, locked.name)} ${locked.version}`;
  });
  return [...groups.values()].flatMap((nodes) => {
    const purl = purls[nodes[0]] ?? null;
    const locked = graph.nodes[nodes[0]]?.locked;
    if (purl === null || locked === undefined) return [];
    const { ecosystem, name } = locked;
    const scope = closestToProduction(nodes.map((node) => graph.nodes[node]?.locked.scope));
    return { purl, dependency: { nodes, ecosystem, name, scope, sites: nodes.flatMap((node) => sites[node] ?? []) } };
  });
}

function evidenceOf(sites: readonly PackageSite[], usage: ReportedUsage, hasPath: boolean): WireDependency['evidence'] {
  if (sites.some(({ kind }) => kind !== 'mention')) return 'import';
  if (sites.length > 0) return 'mention';
  if (usage === 'mentioned') return 'graph';
  return hasPath && usage !== 'unused' && usage !== 'not_analyzed' ? 'graph' : 'none';
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
