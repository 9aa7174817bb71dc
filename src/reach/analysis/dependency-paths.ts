import type { DependencyGraph } from './dependency-graph.js';

/** Packages on one path: the limit of a report. */
const longest = 64;

/** Steps of one search. It needs about paths x length; only a hostile graph comes near. */
const maxSteps = 2_000;

interface Step {
  readonly node: number;
  readonly next: Step | null;
  /** Packages from here down to the end. */
  readonly length: number;
}

/**
 * Finds the shortest paths from a direct dependency down to a package, given by its entries. A path begins at the only
 * direct dependency on it, unless the package itself is one.
 *
 * The search goes upwards, always on with the partial path whose shortest completion is the shortest; that completion's
 * length is known for every package from one walk down from the direct dependencies.
 */
export function pathFinder({ nodes }: DependencyGraph): (ends: readonly number[], max: number) => FoundPaths {
  const above = distances(nodes);
  return (ends, max) => {
    const paths: number[][] = [];
    const waiting = new ByLength();
    for (const node of ends) offer(waiting, above, { node, next: null, length: 1 });
    for (let steps = 0; steps < maxSteps; steps++) {
      const step = waiting.take();
      if (step === null) return { paths, complete: true };
      if (nodes[step.node]?.direct) {
        if (paths.length === max) return { paths, complete: false };
        paths.push(toPath(step));
        if (step.next !== null) continue;
      }
      for (const node of nodes[step.node]?.dependents ?? []) {
        if (!contains(step, node)) offer(waiting, above, { node, next: step, length: step.length + 1 });
      }
    }
    return { paths, complete: false };
  };
}

export interface FoundPaths {
  readonly paths: readonly (readonly number[])[];
  /** There are no more. */
  readonly complete: boolean;
}

/** For each package how many stand above it on its shortest path from a direct dependency; none for what no one leads to. */
function distances(nodes: DependencyGraph['nodes']): Map<number, number> {
  const above = new Map<number, number>();
  let layer = [...nodes.keys()].filter((node) => nodes[node]?.direct);
  for (let distance = 0; layer.length > 0; distance++) {
    for (const node of layer) above.set(node, distance);
    layer = [...new Set(layer.flatMap((node) => nodes[node]?.targets ?? []))].filter((node) => !above.has(node));
  }
  return above;
}

function offer(waiting: ByLength, above: ReadonlyMap<number, number>, step: Step): void {
  const distance = above.get(step.node);
  if (distance !== undefined && step.length + distance <= longest) waiting.put(step, step.length + distance);
}

/** Partial paths by the length of their shortest completion; of several the one put last. */
class ByLength {
  readonly #stacks: Step[][] = [];

  put(step: Step, length: number): void {
    const stack = this.#stacks[length] ?? [];
    this.#stacks[length] = stack;
    stack.push(step);
  }

  take(): Step | null {
    for (const stack of this.#stacks) {
      const step = stack?.pop();
      if (step !== undefined) return step;
    }
    return null;
  }
}

function contains(step: Step, node: number): boolean {
  for (let at: Step | null = step; at !== null; at = at.next) if (at.node === node) return true;
  return false;
}

function toPath(step: Step): number[] {
  const path: number[] = [];
  for (let at: Step | null = step; at !== null; at = at.next) path.push(at.node);
  return path;
}
