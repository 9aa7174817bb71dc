import { compareText } from '../../shared/text/compare-text.js';

/** A component as the graph needs it. Keys are those of `dependencies`: see `identityOf`. */
export interface GraphNode {
  readonly key: string;
  readonly direct: boolean | null;
  readonly dependencies: readonly string[];
}

/** Where a component stands in the graph of its source. */
export interface GraphPosition {
  /** Keys of what needs it, sorted. */
  readonly parents: readonly string[];
  /** Keys of what it needs and the source has, sorted. */
  readonly children: readonly string[];
  /** Dependencies that the source no longer has: they were removed or changed by hand. */
  readonly lost: number;
  /** Shortest ways to it, each from another direct dependency: the shortest first, equal ones by their first key. */
  readonly paths: readonly (readonly string[])[];
  /** Direct dependencies that lead to it, itself included where it is one. */
  readonly leading: number;
}

export interface Bounds {
  readonly maxPaths: number;
  readonly maxPathLength: number;
}

/** Searches upwards from the component, breadth first: what is met first is nearest. Circles do no harm. */
export function placeOf(nodes: ReadonlyMap<string, GraphNode>, key: string, bounds: Bounds): GraphPosition {
  const parentsOf = reversed(nodes);
  const next = new Map<string, string | null>([[key, null]]);
  let leading: string[] = [];
  for (let level = [key]; level.length > 0; ) {
    leading = leading.concat(level.filter((each) => nodes.get(each)?.direct === true).sort(compareText));
    const above: string[] = [];
    for (const child of level) {
      for (const parent of parentsOf.get(child) ?? []) {
        if (next.has(parent)) continue;
        next.set(parent, child);
        above.push(parent);
      }
    }
    level = above;
  }
  const own = (nodes.get(key)?.dependencies ?? []).filter((each) => each !== key);
  const children = own.filter((each) => nodes.has(each)).sort(compareText);
  return {
    parents: (parentsOf.get(key) ?? []).toSorted(compareText),
    children,
    lost: own.length - children.length,
    paths: leading
      .slice(0, bounds.maxPaths)
      .map((first) => pathFrom(first, next))
      .filter((path) => path.length <= bounds.maxPathLength),
    leading: leading.length,
  };
}

/** What needs each component, without what needs itself. */
function reversed(nodes: ReadonlyMap<string, GraphNode>): ReadonlyMap<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const { key, dependencies } of nodes.values()) {
    for (const child of dependencies) {
      if (child === key) continue;
      const known = parents.get(child);
      if (known === undefined) parents.set(child, [key]);
      else known.push(key);
    }
  }
  return parents;
}

function pathFrom(first: string, next: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let key: string | null = first; key !== null; key = next.get(key) ?? null) path.push(key);
  return path;
}
