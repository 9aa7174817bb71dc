import { usageReportLimits } from '../../procedures/usage-report.js';
import type { GapKind } from '../../shared/vulnerability-terms.js';
import { folderOf } from '../languages/tree-path.js';
import { groupBy } from '../lockfiles/group-by.js';
import type { DependencyGraph } from './dependency-graph.js';
import type { CountedGap, FoundGap } from './found-gap.js';
import { installedInProduction } from './installed-in-production.js';
import { neighboursWithoutEdges } from './neighbours-without-edges.js';
import { decidingFor, type PackageIndex } from './package-index.js';
import type { TreeLockfile } from './tree-lockfiles.js';
import { usedNodesFinder } from './used-nodes.js';

/** Areas of lock files that are told apart; in a tree with more, a gap hides the packages of all. */
const maxAreas = 200;

/**
 * Gaps in code whose other imports are seen. Such code cannot import what is not installed in production. So it hides packages
 * for development only where production is seen to use one: then all of them are bundled, or installed.
 */
const inSeenCode: ReadonlySet<GapKind> = new Set<GapKind>(['unknown_dynamic', 'unresolved_import']);

export interface PlacedGaps {
  /** The gaps that could hide a use of an entry, some of them where there are many. */
  readonly hiding: (node: number) => readonly FoundGap[];
  readonly counted: readonly CountedGap[];
}

/**
 * Joins gaps with the entries of the lock files that they could hide a use of: those that an import in the gap's file could
 * mean, and all that these bring in.
 *
 * @param bundling lock files whose packages for development are used in production
 */
export function placeGaps(
  graph: DependencyGraph,
  index: PackageIndex,
  gaps: readonly FoundGap[],
  bundling: ReadonlySet<TreeLockfile>,
): PlacedGaps {
  const hiding = new Map<number, FoundGap[]>();
  const grown = new Set<number>();
  const hide = (node: number, gap: FoundGap) => {
    const known = hiding.get(node) ?? [];
    if (known.length >= usageReportLimits.reasons || known.includes(gap)) return;
    known.push(gap);
    hiding.set(node, known);
    // Moves it to the end, so that it is spread again.
    grown.delete(node);
    grown.add(node);
  };

  const counted: CountedGap[] = [];
  const nodesOf = usedNodesFinder(index);
  const isInstalled = installedInProduction(graph, bundling);
  const areas = new Map<string, readonly number[]>();
  const nodesNear = (gap: FoundGap) => {
    const area = index.areaOf(folderOf(gap.file)).join('\n');
    const key = areas.size < maxAreas ? `${gap.ecosystem} ${area}` : `${gap.ecosystem} *`;
    const nodes = areas.get(key) ?? (key.endsWith(' *') ? allOf(index, gap) : nodesInArea(index, gap));
    areas.set(key, nodes);
    return inSeenCode.has(gap.kind) ? nodes.filter(isInstalled) : nodes;
  };
  // All gaps of one kind in one area hide the same.
  const alike = groupBy(
    gaps.filter(({ hides }) => hides === 'any'),
    (gap) => `${gap.ecosystem} ${inSeenCode.has(gap.kind)} ${index.areaOf(folderOf(gap.file)).join('\n')}`,
  );
  for (const group of alike.values()) {
    const nodes = nodesNear(group[0]);
    for (const gap of group) counted.push({ ...gap, hidden: nodes.length });
    for (const gap of group.slice(0, usageReportLimits.reasons)) for (const node of nodes) hide(node, gap);
  }
  for (const gap of gaps) {
    if (gap.hides === 'any') continue;
    const named = gap.hides.flatMap((name) => nodesOf(gap.ecosystem, name, gap.file));
    // A missed import of Python names all that nothing else claims. It runs, so what has it is installed: where that may be a
    // package of production, it is none for development.
    const installed = gap.ecosystem === 'PyPI' && gap.kind === 'unowned_import' ? named.filter(isInstalled) : [];
    const nodes = installed.length > 0 ? installed : named;
    counted.push({ ...gap, hidden: new Set(nodes).size });
    for (const node of nodes) hide(node, gap);
  }
  // What may be used may bring in what it depends on. A set also visits what is added to it meanwhile.
  const neighboursOf = neighboursWithoutEdges(graph);
  const spreadTo = new Map<readonly number[], Set<FoundGap>>();
  for (const node of grown) {
    const neighbours = neighboursOf(node);
    const before = spreadTo.get(neighbours) ?? new Set();
    spreadTo.set(neighbours, before);
    for (const gap of hiding.get(node) ?? []) {
      for (const target of graph.nodes[node]?.targets ?? []) hide(target, gap);
      if (neighbours.length === 0 || before.has(gap) || before.size >= usageReportLimits.reasons) continue;
      before.add(gap);
      // As above: an edge that is not seen leads to nothing that is not installed.
      const canLoad = gap.kind === 'unread_file' ? () => true : isInstalled;
      for (const neighbour of neighbours) if (canLoad(neighbour)) hide(neighbour, gap);
    }
  }
  return { hiding: (node) => hiding.get(node) ?? [], counted };
}

function nodesInArea(index: PackageIndex, { ecosystem, file }: FoundGap): number[] {
  const folder = folderOf(file);
  return [...index.packagesOf(ecosystem)].flatMap((key) =>
    decidingFor(folder, index.candidates(key)).candidates.flatMap((some) => some.map(({ node }) => node)),
  );
}

function allOf(index: PackageIndex, { ecosystem }: FoundGap): number[] {
  return [...index.packagesOf(ecosystem)].flatMap((key) =>
    [...index.candidates(key).values()].flatMap((some) => some.map(({ node }) => node)),
  );
}
