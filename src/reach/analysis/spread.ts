import type { DependencyGraph } from './dependency-graph.js';
import { installedInProduction } from './installed-in-production.js';
import { namedAtRunTime } from './named-at-run-time.js';
import { neighboursWithoutEdges } from './neighbours-without-edges.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** Entries of the lock files whose use is seen, or may be. Indexes in the graph's `nodes`. */
export interface Seen {
  /** Production imports or loads them. */
  readonly used: ReadonlySet<number>;
  /** Those of them that are loaded from an entry point, so that who follows dependencies starts there. */
  readonly started: ReadonlySet<number>;
  /** Production names them, so that it may use them. */
  readonly mentioned: ReadonlySet<number>;
  /** Tests, tools, types and the like name them. */
  readonly tooling: ReadonlySet<number>;
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
  /** What depends on them is used or may be, but is not known to be loaded from an entry point. */
  readonly unfollowed: ReadonlySet<number>;
  /** They stand beside what production uses or may use, in a lock file that does not say what depends on what. */
  readonly guessed: ReadonlySet<number>;
  /** Tooling leads to them, in one of these ways. */
  readonly tooling: ReadonlySet<number>;
}

/**
 * Follows the graph from what is seen. More that is seen, and more edges, only add to each of the sets; but what is seen to
 * start adds nothing to `maybeBroughtIn` and `unfollowed`, since it is followed itself.
 */
export function spreadFrom(graph: DependencyGraph, seen: Seen): Spread {
  const { nodes } = graph;
  const namedBy = namedAtRunTime(graph);
  const neighboursOf = neighboursWithoutEdges(graph);
  const isInstalled = installedInProduction(graph, seen.bundling);

  // Sets also visit what is added to them meanwhile.
  const named = new Set<number>();
  const guessed = new Set<number>();
  const tooling = new Set(seen.tooling);
  const production = new Set([...seen.used, ...seen.mentioned]);
  const besides = once(neighboursOf);
  for (const node of production) {
    for (const target of nodes[node]?.targets ?? []) production.add(target);
    for (const other of besides(node)) {
      if (!isInstalled(other)) {
        tooling.add(other);
        continue;
      }
      guessed.add(other);
      production.add(other);
    }
    for (const other of namedBy(node)) {
      // What is installed for development alone is not there when production asks for it by name.
      if (!isInstalled(other)) {
        tooling.add(other);
        continue;
      }
      named.add(other);
      production.add(other);
    }
  }
  const besidesTooling = once(neighboursOf);
  for (const node of tooling) {
    for (const other of nodes[node]?.targets ?? []) tooling.add(other);
    for (const other of besidesTooling(node)) tooling.add(other);
    for (const other of namedBy(node)) tooling.add(other);
  }
  const possible = [...seen.mentioned, ...named].filter((node) => !seen.started.has(node));
  const notStarted = [...seen.used].filter((node) => !seen.started.has(node)).concat(possible);
  const unfollowed = neededBy(graph, notStarted);
  return {
    broughtIn: neededBy(graph, seen.used),
    named,
    maybeBroughtIn: neededBy(graph, possible),
    unfollowed: new Set([...unfollowed, ...notStarted.flatMap(once(neighboursOf))]),
    guessed,
    tooling,
  };
}

/** All that the entries depend on, directly or not. */
function neededBy({ nodes }: DependencyGraph, start: Iterable<number>): ReadonlySet<number> {
  const needed = new Set<number>();
  for (const node of start) for (const target of nodes[node]?.targets ?? []) needed.add(target);
  for (const node of needed) for (const target of nodes[node]?.targets ?? []) needed.add(target);
  return needed;
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
