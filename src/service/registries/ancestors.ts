import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { NamedKey } from './version-lists.js';

/** A package of one source, in one version. */
export interface StackNode extends NamedKey {
  readonly source: string;
  readonly version: string;
  /** Keys of what it needs, each on a line: no name and no version has a line break. */
  readonly dependencies: string;
}

/**
 * What brings some packages in, in any of the sources: the nearest first.
 *
 * @param wanted keys of the packages, as in `dependencies`
 */
export async function ancestorsOf(
  nodes: readonly StackNode[],
  wanted: ReadonlySet<string>,
): Promise<readonly StackNode[]> {
  const pause = yieldToEventLoop();
  const needing = new Map<string, StackNode[]>();
  for (const node of nodes) {
    await pause();
    for (const key of keysOf(node)) {
      const place = `${node.source}\n${key}`;
      const known = needing.get(place);
      if (known === undefined) needing.set(place, [node]);
      else known.push(node);
    }
  }
  const begin = nodes.filter((node) => wanted.has(keyOf(node)));
  const found = new Set(begin);
  // What is added while this runs comes after all that is nearer.
  for (const node of found) {
    await pause();
    for (const parent of needing.get(`${node.source}\n${keyOf(node)}`) ?? []) found.add(parent);
  }
  return [...found].slice(begin.length);
}

export function keyOf(node: Pick<StackNode, 'ecosystem' | 'package_name' | 'version'>): string {
  return `${packageKey(node)} ${node.version}`;
}

export function keysOf({ dependencies }: StackNode): readonly string[] {
  return dependencies === '' ? [] : dependencies.split('\n');
}
