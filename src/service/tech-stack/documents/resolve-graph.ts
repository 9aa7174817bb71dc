import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import type { Completeness } from '../../db/tables/projects.js';
import { lessKnown } from '../stack-package.js';
import { maxEdges, type SbomGraph } from './sbom.js';
import { unreadableSbom } from './unreadable-sbom.js';

/** What a component needs: keys of other components. */
export interface Needs {
  readonly keys: ReadonlySet<string>;
  readonly known: Completeness;
}

/** The graph between the components that are kept, and which of them the described one needs itself. */
export interface ResolvedGraph {
  /** By key. A component that nothing is said of is missing. */
  readonly needs: ReadonlyMap<string, Needs>;
  readonly direct: (key: string) => boolean | null;
  /** Of the list of direct dependencies. */
  readonly directKnown: Completeness;
}

/** Edges walked, those through nodes that are not kept counted at each walk. */
const maxSteps = 5 * maxEdges;

/** Components that can be reached from a node without another component in between. */
interface Reached {
  readonly needed: Set<string>;
  /** Reached only as a part, not as a dependency. */
  readonly held: Set<string>;
  /** An edge leads to a node that is no component, and from there nowhere. */
  readonly lost: boolean;
}

/**
 * Makes a document's graph one between components. Nodes that are no components (lock files, operating systems, files) are
 * walked through: what hangs below them belongs to the component above. Rings and self edges are harmless.
 */
export async function resolveGraph(
  graph: SbomGraph,
  subject: readonly string[],
  keyOfRef: ReadonlyMap<string, string>,
): Promise<ResolvedGraph> {
  const walk = walker(graph, keyOfRef);
  const yieldNow = yieldToEventLoop();
  const needs = new Map<string, { keys: Set<string>; known: Completeness }>();
  const needed = new Set<string>();
  let edges = 0;
  for (const [ref, key] of keyOfRef) {
    await yieldNow();
    const found = walk([ref]);
    const stated = graph.known.get(ref) ?? null;
    const known = stated === 'complete' && found.lost ? 'incomplete' : stated;
    const before = needs.get(key);
    if (before === undefined && known === null && found.needed.size + found.held.size === 0) continue;
    const keys = before?.keys ?? new Set();
    for (const each of [...found.needed, ...found.held]) if (each !== key) keys.add(each);
    for (const each of found.needed) if (each !== key) needed.add(each);
    // Of two components with one key, which became one, the less is known counts.
    needs.set(key, { keys, known: before === undefined ? known : lessKnown(before.known, known) });
    edges += keys.size;
    if (edges > maxEdges) throw tooManyEdges();
  }
  const roots = walk(subject);
  const rootKnown = subject.map((ref) => graph.known.get(ref)).find(Boolean) ?? null;
  return {
    needs,
    direct: directOf(graph, roots, needed, rootKnown),
    directKnown: rootKnown === 'complete' && roots.lost ? 'incomplete' : rootKnown,
  };
}

function tooManyEdges() {
  return unreadableSbom(`must have at most ${maxEdges} dependencies`);
}

function walker({ dependsOn, contains }: SbomGraph, keyOfRef: ReadonlyMap<string, string>) {
  let steps = 0;
  return (from: readonly string[]): Reached => {
    const needed = new Set<string>();
    const held = new Set<string>();
    const visited = new Set(from);
    const waiting = [...from];
    let lost = false;
    const take = (ref: string, isPart: boolean) => {
      steps += 1;
      if (steps > maxSteps) throw tooManyEdges();
      const key = keyOfRef.get(ref);
      if (key !== undefined) (isPart ? held : needed).add(key);
      else if (!visited.has(ref)) {
        visited.add(ref);
        if (dependsOn.has(ref) || contains.has(ref)) waiting.push(ref);
        else if (!isPart) lost = true;
      }
    };
    for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
      for (const each of dependsOn.get(ref) ?? []) take(each, false);
      for (const each of contains.get(ref) ?? []) take(each, true);
    }
    for (const key of needed) held.delete(key);
    return { needed, held, lost };
  };
}

/**
 * Whether the described component needs one itself; null where the document does not tell. `needed` are those that other
 * components need.
 */
function directOf(
  { listsDirect }: SbomGraph,
  roots: Reached,
  needed: ReadonlySet<string>,
  rootKnown: Completeness,
): ResolvedGraph['direct'] {
  const says = listsDirect ? roots.needed.size > 0 : needed.size > 0 && roots.needed.size + roots.held.size > 0;
  if (!says) return () => null;
  const others = rootKnown === 'incomplete' ? null : false;
  return (key) => {
    if (roots.needed.has(key)) return true;
    // What is a part of the whole and needed by another part may be direct or not.
    if (roots.held.has(key)) return needed.has(key) ? null : true;
    return others;
  };
}
