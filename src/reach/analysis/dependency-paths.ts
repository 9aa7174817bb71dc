import type { DependencyGraph } from './dependency-graph.js';

/** Packages on one path: the limit of a report. */
const maxLength = 64;

/** Steps of one search. A search needs about paths x length; only hostile graphs need more. */
const maxSteps = 2_000;

interface Step {
  readonly node: number;
  readonly next: Step | null;
  /** Packages from here down to the end. */
  readonly length: number;
}

/**
 * Finds the shortest paths from a direct dependency down to a package, which is given by its entries. Only the first package
 * of a path is direct, except that the package itself may be direct too.
 *
 * The search goes upwards from the package. It always continues the partial path that can become the shortest path. How many
 * packages are missing to a direct dependency is known from one walk down from the direct dependencies.
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
  /** There are no more paths. */
  readonly complete: boolean;
}

/** How many packages are above each one on its shortest path from a direct dependency; no entry where there is no path. */
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
  if (distance !== undefined && step.length + distance <= maxLength) waiting.put(step, step.length + distance);
}

/** Partial paths by the least length that they can have as whole paths. Of several, the one put last is taken. */
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
