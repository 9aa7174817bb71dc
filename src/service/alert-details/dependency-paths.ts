import { detailLimits } from '../../procedures/alert-details.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { GraphNode } from '../tech-stack/bringers.js';
import { identityOf } from '../tech-stack/stack-package.js';

/**
 * The shortest ways from direct dependencies to any of the targets, each from another direct dependency, as purls. Goes back
 * from the targets, breadth first, so the work is linear in packages and edges. Null where no way is known.
 */
export function shortestPaths(nodes: readonly GraphNode[], isTarget: (node: GraphNode) => boolean): string[][] | null {
  const needing = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    for (const key of node.dependencies === '' ? [] : node.dependencies.split('\n')) {
      const known = needing.get(`${node.source}\n${key}`);
      if (known === undefined) needing.set(`${node.source}\n${key}`, [node]);
      else known.push(node);
    }
  }
  const next = new Map<GraphNode, GraphNode | null>();
  const waiting = nodes.filter(isTarget);
  for (const target of waiting) next.set(target, null);
  const paths: string[][] = [];
  const begins = new Set<string>();
  let characters = 0;
  for (const node of waiting) {
    if (node.direct === true) {
      const path = pathFrom(node, next);
      const length = path.join().length;
      const [begin = ''] = path;
      // Two sources may have the same.
      if (!begins.has(begin) && path.length <= detailLimits.steps && characters + length <= detailLimits.pathText) {
        begins.add(begin);
        characters += length;
        if (paths.push(path) === detailLimits.paths) break;
      }
    }
    for (const parent of needing.get(`${node.source}\n${identityOf(node)}`) ?? []) {
      if (next.has(parent)) continue;
      next.set(parent, node);
      waiting.push(parent);
    }
  }
  return paths.length === 0 ? null : paths;
}

function pathFrom(begin: GraphNode, next: ReadonlyMap<GraphNode, GraphNode | null>): string[] {
  const path: string[] = [];
  for (let node: GraphNode | null = begin; node !== null; node = next.get(node) ?? null) path.push(printPurl(node));
  return path;
}
