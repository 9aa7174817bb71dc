import type { DependencyGraph } from './dependency-graph.js';

/** The direct dependencies that bring each package in. `complete` is false where there are more than the limit. */
export interface Introducers {
  readonly of: (node: number) => readonly number[];
  readonly complete: (node: number) => boolean;
}

/**
 * Walks the graph once for each direct dependency. A walk stops at a package that has reached the limit: what it depends on
 * has as many introducers already. So the work is at most limit x edges.
 */
export function findIntroducers({ nodes }: DependencyGraph, limit: number): Introducers {
  const found = nodes.map((): number[] => []);
  const overflowing = new Set<number>();
  const lastVisit = new Int32Array(nodes.length).fill(-1);
  for (const [start, { direct }] of nodes.entries()) {
    if (!direct) continue;
    lastVisit[start] = start;
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const target of nodes[node]?.targets ?? []) {
        if (lastVisit[target] === start) continue;
        lastVisit[target] = start;
        const introducers = found[target];
        if (introducers === undefined) continue;
        if (introducers.length >= limit) overflowing.add(target);
        else {
          introducers.push(start);
          waiting.push(target);
        }
      }
    }
  }
  return { of: (node) => found[node] ?? [], complete: (node) => !overflowing.has(node) };
}
