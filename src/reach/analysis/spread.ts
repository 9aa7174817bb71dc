import type { DependencyGraph } from './dependency-graph.js';
import { namedAtRunTime } from './named-at-run-time.js';
import { neighboursWithoutEdges } from './neighbours-without-edges.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** Entries of the lock files whose use is seen, or may be. Indexes in the graph's `nodes`. */
export interface Seen {
  /** Production imports or loads them. */
  readonly used: Iterable<number>;
  /** Production names them, so that it may use them. */
  readonly mentioned: Iterable<number>;
  /** Tests, tools, types and the like name them. */
  readonly tooling: Iterable<number>;
  /** Lock files whose packages for development are used in production. */
  readonly bundling: ReadonlySet<TreeLockfile>;
}

/** What follows from the graph for entries that nothing, or nothing more, is seen of. */
export interface Spread {
  /** What production uses depends on them. */
  readonly broughtIn: ReadonlySet<number>;
  /** Production may load them by name: peers and plugins of what it uses or may use. */
  readonly named: ReadonlySet<number>;
  /** What production may use depends on them. */
  readonly maybeBroughtIn: ReadonlySet<number>;
  /** They stand beside what production uses or may use, in a lock file that does not say what depends on what. */
  readonly guessed: ReadonlySet<number>;
  /** Tooling leads to them, in one of these ways. */
  readonly tooling: ReadonlySet<number>;
}

/** Follows the graph from what is seen. More that is seen, and more edges, only add to each of the sets. */
export function spreadFrom(graph: DependencyGraph, { used, mentioned, tooling, bundling }: Seen): Spread {
  const { nodes } = graph;
  const targetsOf = (node: number) => nodes[node]?.targets ?? [];
  const namedBy = namedAtRunTime(graph);
  const neighboursOf = neighboursWithoutEdges(graph);
  const isInstalled = (node: number) => {
    const { lockfile, locked } = nodes[node] ?? {};
    return locked?.scope !== 'development' || (lockfile !== undefined && bundling.has(lockfile));
  };

  // Sets also visit what is added to them meanwhile.
  const certain = new Set(used);
  const broughtIn = new Set<number>();
  for (const node of certain) {
    for (const target of targetsOf(node)) {
      broughtIn.add(target);
      certain.add(target);
    }
  }
  const named = new Set<number>();
  const maybeBroughtIn = new Set<number>();
  const guessed = new Set<number>();
  const toolingLeadsTo = new Set<number>(tooling);
  const production = new Set([...certain, ...mentioned]);
  const besides = once(neighboursOf);
  for (const node of production) {
    const add = (to: Set<number>, found: number) => {
      to.add(found);
      production.add(found);
    };
    if (!certain.has(node)) for (const target of targetsOf(node)) add(maybeBroughtIn, target);
    for (const other of besides(node)) add(guessed, other);
    // What is installed for development alone is not there when production asks for it by name.
    for (const other of namedBy(node)) {
      if (isInstalled(other)) add(named, other);
      else toolingLeadsTo.add(other);
    }
  }
  const besidesTooling = once(neighboursOf);
  for (const node of toolingLeadsTo) {
    for (const other of [...targetsOf(node), ...besidesTooling(node), ...namedBy(node)]) toolingLeadsTo.add(other);
  }
  return { broughtIn, named, maybeBroughtIn, guessed, tooling: toolingLeadsTo };
}

/** Answers with each list once: the same follows from it every time. */
function once(listOf: (node: number) => readonly number[]): (node: number) => readonly number[] {
  const given = new Set<readonly number[]>();
  return (node) => {
    const list = listOf(node);
    if (given.has(list)) return [];
    given.add(list);
    return list;
  };
}
