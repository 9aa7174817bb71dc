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

/** The gaps that could hide a use of an entry, by the entry. */
class HidingGaps {
  readonly #gaps = new Map<number, FoundGap[]>();
  /** Entries whose gaps have grown since they were last spread. */
  readonly #grown = new Set<number>();

  of(node: number): readonly FoundGap[] {
    return this.#gaps.get(node) ?? [];
  }

  add(node: number, gap: FoundGap): void {
    const known = this.#gaps.get(node) ?? [];
    if (known.length >= usageReportLimits.reasons || known.includes(gap)) return;
    known.push(gap);
    this.#gaps.set(node, known);
    // Moves it to the end, so that it is spread again.
    this.#grown.delete(node);
    this.#grown.add(node);
  }

  /** What may be used may bring in what it depends on. */
  spread(graph: DependencyGraph, isInstalled: (node: number) => boolean): void {
    const neighboursOf = neighboursWithoutEdges(graph);
    const spreadTo = new Map<readonly number[], Set<FoundGap>>();
    // A set also visits what is added to it meanwhile.
    for (const node of this.#grown) {
      const neighbours = neighboursOf(node);
      const before = spreadTo.get(neighbours) ?? new Set();
      spreadTo.set(neighbours, before);
      for (const gap of this.of(node)) {
        for (const target of graph.nodes[node]?.targets ?? []) this.add(target, gap);
        if (neighbours.length === 0 || before.has(gap) || before.size >= usageReportLimits.reasons) continue;
        before.add(gap);
        // An edge that is not seen leads to nothing that is not installed.
        const canLoad = gap.kind === 'unread_file' ? () => true : isInstalled;
        for (const neighbour of neighbours) if (canLoad(neighbour)) this.add(neighbour, gap);
      }
    }
  }
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
  const hiding = new HidingGaps();
  const isInstalled = installedInProduction(graph, bundling);
  const counted = [...placeOpen(index, gaps, isInstalled, hiding), ...placeNamed(index, gaps, isInstalled, hiding)];
  hiding.spread(graph, isInstalled);
  return { hiding: (node) => hiding.of(node), counted };
}

/** Places gaps that could hide a use of any package. All of one kind in one area hide the same. */
function placeOpen(
  index: PackageIndex,
  gaps: readonly FoundGap[],
  isInstalled: (node: number) => boolean,
  hiding: HidingGaps,
): CountedGap[] {
  const areas = new Map<string, readonly number[]>();
  const areaOf = (gap: FoundGap) => index.areaOf(folderOf(gap.file)).join('\n');
  const nodesNear = (gap: FoundGap) => {
    const key = areas.size < maxAreas ? `${gap.ecosystem} ${areaOf(gap)}` : `${gap.ecosystem} *`;
    const nodes = areas.get(key) ?? (key.endsWith(' *') ? allOf(index, gap) : nodesInArea(index, gap));
    areas.set(key, nodes);
    return inSeenCode.has(gap.kind) ? nodes.filter(isInstalled) : nodes;
  };
  const alike = groupBy(
    gaps.filter(({ hides }) => hides === 'any'),
    (gap) => `${gap.ecosystem} ${inSeenCode.has(gap.kind)} ${areaOf(gap)}`,
  );
  return [...alike.values()].flatMap((group) => {
    const nodes = nodesNear(group[0]);
    for (const gap of group.slice(0, usageReportLimits.reasons)) for (const node of nodes) hiding.add(node, gap);
    return group.map((gap) => ({ ...gap, hidden: nodes.length }));
  });
}

/** Places gaps that could hide a use of the packages that they name. */
function placeNamed(
  index: PackageIndex,
  gaps: readonly FoundGap[],
  isInstalled: (node: number) => boolean,
  hiding: HidingGaps,
): CountedGap[] {
  const nodesOf = usedNodesFinder(index);
  return gaps.flatMap((gap) => {
    if (gap.hides === 'any') return [];
    const named = gap.hides.flatMap((name) => nodesOf(gap.ecosystem, name, gap.file));
    // A missed import of Python names all that nothing else claims. It runs, so what has it is installed: where that may be a
    // package of production, it is none for development.
    const installed = gap.ecosystem === 'PyPI' && gap.kind === 'unowned_import' ? named.filter(isInstalled) : [];
    const nodes = installed.length > 0 ? installed : named;
    for (const node of nodes) hiding.add(node, gap);
    return [{ ...gap, hidden: new Set(nodes).size }];
  });
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
