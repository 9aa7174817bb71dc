import { sql } from 'kysely';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { identityOf } from '../tech-stack/stack-package.js';

/** Packages of one project's graph that a plan reads, at most. Of larger ones no package is sure to be kept. */
const maxNodes = 20_000;

/** A package of one source, as it is read. */
export interface StackNode {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
  readonly direct: boolean | null;
  /** Keys of what it needs, each on a line. */
  readonly dependencies: string;
  /** Keys of what carries a copy in its archive, each on a line. */
  readonly bundled_in: string | null;
}

/** What a project has installed, by place (`placeOf`). */
export interface Graph {
  /** The places of what each needs. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Where the project's own wishes begin: what it asks for, or nobody needs where no source says. */
  readonly roots: readonly string[];
  /** Whose archives carry others. */
  readonly carriers: ReadonlySet<string>;
}

/** Whether something holds of a package of a source, by its identity. */
export type IsPlace = (source: string, identity: string) => boolean;

/** Whether it is sure to be there after the plan, in the version that it has. */
export type IsKept = IsPlace;

/** The whole graph of a project; null where it is too large. */
export async function loadGraph(tx: Transaction, project: ProjectKey): Promise<Graph | null> {
  const { rows } = await sql<StackNode>`
    select source, ecosystem, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies,
      array_to_string(bundled_in, E'\n') as bundled_in
    from tech_stack_items where ${inScope(project)} limit ${maxNodes + 1}`.execute(tx);
  return rows.length > maxNodes ? null : graphOf(rows);
}

export async function graphOf(nodes: readonly StackNode[]): Promise<Graph> {
  const pause = yieldToEventLoop();
  const needs = new Map<string, readonly string[]>();
  const needed = new Set<string>();
  const carriers = new Set<string>();
  const placesOf = (source: string, keys: string | null) =>
    keys === null || keys === '' ? [] : keys.split('\n').map((key) => placeOf(source, key));
  for (const node of nodes) {
    await pause();
    const places = placesOf(node.source, node.dependencies);
    needs.set(placeOf(node.source, identityOf(node)), places);
    for (const place of places) needed.add(place);
    for (const holder of placesOf(node.source, node.bundled_in)) carriers.add(holder);
  }
  const roots = nodes.flatMap((node) => {
    const place = placeOf(node.source, identityOf(node));
    return (node.direct ?? !needed.has(place)) ? [place] : [];
  });
  return { needs, roots, carriers };
}

export function placeOf(source: string, identity: string): string {
  return `${source}\n${identity}`;
}

/**
 * What a resolver keeps: all to which a way leads from the project, over packages that do not move. What only a moved package
 * brings in may go, or come in another version. A source in which nothing moves stays as it is.
 *
 * @param moved the places (`placeOf`) that get another version
 */
export async function keptPackages(graph: Graph | null, moved: ReadonlySet<string>): Promise<IsKept> {
  const touched = new Set([...moved].map((place) => place.slice(0, place.indexOf('\n'))));
  if (touched.size === 0) return () => true;
  const kept = graph === null ? new Set() : await reached(graph, graph.roots, moved);
  return (source, identity) => !touched.has(source) || kept.has(placeOf(source, identity));
}

/** All to which a way leads from what moves; all of a touched source where the graph is too large. */
export async function belowMoved(graph: Graph | null, moved: ReadonlySet<string>): Promise<IsPlace> {
  if (graph === null) return () => moved.size > 0;
  const children = [...moved].flatMap((place) => graph.needs.get(place) ?? []);
  const below = await reached(graph, children, new Set());
  return (source, identity) => below.has(placeOf(source, identity));
}

/** The places to which a way leads, over no closed one; those at its beginning too. */
async function reached(
  { needs }: Graph,
  from: readonly string[],
  closed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const pause = yieldToEventLoop();
  const found = new Set<string>();
  const waiting = [...from];
  for (const place of waiting) {
    await pause();
    const next = needs.get(place);
    if (next === undefined || found.has(place) || closed.has(place)) continue;
    found.add(place);
    for (const child of next) waiting.push(child);
  }
  return found;
}
