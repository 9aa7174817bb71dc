import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { PackageSite } from '../languages/language-reader.js';
import type { Evidence } from './classify.js';
import type { DependencyGraph } from './dependency-graph.js';
import { type CountedGap, type FoundGap, LockfileGaps } from './found-gap.js';
import { loadedNodes } from './loaded-nodes.js';
import type { ChainLink, LoadingEvidence } from './loading.js';
import type { PackageIndex } from './package-index.js';
import { placeGaps } from './place-gaps.js';
import { usageBySites } from './site-usage.js';
import { type Spread, spreadFrom } from './spread.js';
import type { TreeLockfile } from './tree-lockfiles.js';
import { findUnsearched, type SourcesByEcosystem } from './unsearched.js';

export interface Gathered {
  readonly evidence: Evidence;
  /** How entries are loaded, where that is known. */
  readonly chains: ReadonlyMap<number, readonly ChainLink[]>;
  readonly gaps: readonly CountedGap[];
}

/** Gathers what is known of each entry of the lock files: from its sites, from the graph, from runs, and from gaps. */
export function gatherEvidence(
  graph: DependencyGraph,
  index: PackageIndex,
  sites: readonly (readonly PackageSite[])[],
  given: readonly FoundGap[],
  loading: readonly LoadingEvidence[],
  sources: SourcesByEcosystem | null,
): Gathered {
  const chains = loadedNodes(graph, index, loading);
  const started = new Set(chains.keys());
  const used = new Set(started);
  const mentioned = new Set<number>();
  const tooling = new Set<number>();
  for (const [node, { locked }] of graph.nodes.entries()) {
    const shown = usageBySites(sites[node] ?? [], locked);
    if (shown === 'reached') started.add(node);
    if (shown === 'reached' || shown === 'imported') used.add(node);
    else if (shown === 'mentioned') mentioned.add(node);
    if (shown !== null || locked.scope === 'development') tooling.add(node);
  }
  const bundling = bundlingDevelopment(graph, sites, used);
  const spread = spreadFrom(graph, { used, started, mentioned, tooling, bundling });
  const followedGaps = loading.flatMap(({ gaps }) => gaps);
  const placed = placeGaps(graph, index, [...given, ...followedGaps], bundling);
  const isNamed = (node: number) => (sites[node] ?? []).length > 0 || chains.has(node);
  const unsearched = sources === null ? null : findUnsearched(graph, index, sources, isNamed);
  const isSeen = (node: number) => used.has(node) || mentioned.has(node) || spread.broughtIn.has(node);
  const edges = unknownEdges(graph, spread, isSeen);
  return {
    evidence: {
      spread,
      loaded: new Set(chains.keys()),
      followed: new Set<Ecosystem>(loading.flatMap(({ followed }) => followed)),
      gapsHiding: placed.hiding,
      unsearched: unsearched === null ? () => null : unsearched.gapOf,
      unknownEdges: edges.gapOf,
    },
    chains,
    gaps: [...(unsearched?.counted ?? []), ...placed.counted, ...edges.counted],
  };
}

const styleSheet = /\.(?:css|scss|sass|less|styl|pcss|postcss)$/;

/**
 * Lock files whose packages for development are used in production: it is not told apart there what is installed. What style
 * sheets alone load says nothing of code: a style sheet imports nothing by a name that only a run can say.
 */
function bundlingDevelopment(
  { nodes }: DependencyGraph,
  sites: readonly (readonly PackageSite[])[],
  used: ReadonlySet<number>,
): ReadonlySet<TreeLockfile> {
  const found = new Set<TreeLockfile>();
  for (const node of used) {
    const { lockfile, locked } = nodes[node] ?? {};
    // Maven's test scope is on the class path of tests alone: what production seems to use of it comes from elsewhere
    // (https://maven.apache.org/guides/introduction/introduction-to-dependency-mechanism.html#dependency-scope).
    if (lockfile === undefined || locked?.scope !== 'development' || lockfile.kind === 'pom.xml') continue;
    const imports = (sites[node] ?? []).filter(({ kind, role }) => role === 'prod' && kind !== 'mention');
    if (imports.length === 0 || imports.some(({ file }) => !styleSheet.test(file))) found.add(lockfile);
  }
  return found;
}

/** A gap for each lock file without edges in which that leaves the use of entries open. */
function unknownEdges({ nodes }: DependencyGraph, { guessed }: Spread, isSeen: (node: number) => boolean) {
  const gaps = new LockfileGaps();
  for (const node of guessed) {
    const { lockfile, locked } = nodes[node] ?? {};
    if (lockfile === undefined || locked === undefined || isSeen(node)) continue;
    gaps.hide(lockfile, { kind: 'unknown_edges', ecosystem: locked.ecosystem, detail: '' });
  }
  const gapOf = (node: number) => {
    const lockfile = guessed.has(node) ? nodes[node]?.lockfile : undefined;
    return lockfile === undefined ? null : gaps.of(lockfile);
  };
  return { gapOf, counted: gaps.counted };
}
