import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** One entry of one lock file. A lock file of npm may have several for one package and version. */
interface GraphNode {
  readonly lockfile: TreeLockfile;
  readonly locked: LockedPackage;
  readonly direct: boolean;
  /** Indexes in `nodes` of what it depends on. */
  readonly targets: readonly number[];
  /** Indexes in `nodes` of what depends on it. */
  readonly dependents: readonly number[];
}

/** The entries of all lock files; no edge leads from one file to another. */
export interface DependencyGraph {
  readonly nodes: readonly GraphNode[];
  /** Lock files that record what depends on what. The others only list packages. */
  readonly withEdges: ReadonlySet<TreeLockfile>;
}

/** Whether all lock files of an ecosystem record edges: where such a file has none, there are none. */
const alwaysWithEdges: Readonly<Record<Ecosystem, boolean>> = {
  npm: true,
  PyPI: false,
  Go: false,
  'crates.io': true,
  Maven: false,
  RubyGems: true,
  NuGet: false,
  Packagist: true,
};

export function dependencyGraph(lockfiles: readonly TreeLockfile[]): DependencyGraph {
  const nodes: GraphNode[] = [];
  const withEdges = new Set<TreeLockfile>();
  for (const lockfile of lockfiles) {
    const { packages } = lockfile;
    const edges = edgesOf(packages, nodes.length);
    for (const [index, locked] of packages.entries()) {
      const { targets = [], dependents = [] } = edges[index] ?? {};
      // Where the file does not say: a package on which no other depends was asked for by the project.
      nodes.push({ lockfile, locked, direct: locked.direct ?? dependents.length === 0, targets, dependents });
    }
    const hasEdges = edges.some(({ targets }) => targets.length > 0);
    if (hasEdges || packages.some(({ ecosystem }) => alwaysWithEdges[ecosystem])) withEdges.add(lockfile);
  }
  return { nodes, withEdges };
}

/** The edges between the packages of one file; its first package has the index `start`. */
function edgesOf(packages: readonly LockedPackage[], start: number): { targets: number[]; dependents: number[] }[] {
  const indexes = new Map(packages.map(({ key }, index) => [key, index]));
  const edges = packages.map((): { targets: number[]; dependents: number[] } => ({ targets: [], dependents: [] }));
  for (const [from, { dependencies }] of packages.entries()) {
    for (const key of dependencies) {
      const to = indexes.get(key);
      if (to === undefined || to === from) continue;
      edges[from]?.targets.push(start + to);
      edges[to]?.dependents.push(start + from);
    }
  }
  return edges;
}

/** One key for a package, for all spellings of its name. */
export function packageKey(ecosystem: Ecosystem, name: string): string {
  return `${ecosystem} ${normaliseName(ecosystem, name)}`;
}
