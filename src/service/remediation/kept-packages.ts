import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { identityOf } from '../tech-stack/stack-package.js';

/** Packages of one project's graph that a plan reads, at most. Of larger ones no package is sure to be kept. */
const maxNodes = 20_000;

/** A package of one source, with the keys of what it needs, each on a line. */
export interface KeptNode {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
  readonly direct: boolean | null;
  readonly dependencies: string;
  /** Keys of what carries a copy in its archive, each on a line. */
  readonly bundled_in: string | null;
}

/** Whether something holds of a package of a source, by its identity. */
export type IsPlace = (source: string, identity: string) => boolean;

/** Whether it is sure to be there after the plan, in the version that it has. */
export type IsKept = IsPlace;

/** The whole graph of a project; null where it is too large. */
export async function loadGraph(tx: Transaction, project: ProjectKey): Promise<readonly KeptNode[] | null> {
  const { rows } = await sql<KeptNode>`
    select source, ecosystem, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies,
      array_to_string(bundled_in, E'\n') as bundled_in
    from tech_stack_items where ${inScope(project)} limit ${maxNodes + 1}`.execute(tx);
  return rows.length > maxNodes ? null : rows;
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
export function keptPackages(nodes: readonly KeptNode[] | null, moved: ReadonlySet<string>): IsKept {
  const touched = new Set([...moved].map((place) => place.slice(0, place.indexOf('\n'))));
  if (touched.size === 0) return () => true;
  const byPlace = new Map((nodes ?? []).map((node) => [placeOf(node.source, identityOf(node)), node]));
  const needed = new Set([...byPlace.values()].flatMap(neededBy));
  const isRoot = ({ direct }: KeptNode, place: string) => direct ?? !needed.has(place);
  const kept = new Set<string>();
  const waiting = [...byPlace].flatMap(([place, node]) => (isRoot(node, place) ? [place] : []));
  for (const place of waiting) {
    const node = byPlace.get(place);
    if (node === undefined || kept.has(place) || moved.has(place)) continue;
    kept.add(place);
    for (const child of neededBy(node)) waiting.push(child);
  }
  return (source, identity) => !touched.has(source) || kept.has(placeOf(source, identity));
}

/** All to which a way leads from what moves; all of a touched source where the graph is too large. */
export function belowMoved(nodes: readonly KeptNode[] | null, moved: ReadonlySet<string>): IsPlace {
  if (nodes === null) return () => moved.size > 0;
  const byPlace = new Map(nodes.map((node) => [placeOf(node.source, identityOf(node)), node]));
  const childrenOf = (place: string) => {
    const node = byPlace.get(place);
    return node === undefined ? [] : neededBy(node);
  };
  const below = new Set([...moved].flatMap(childrenOf));
  for (const place of below) for (const child of childrenOf(place)) below.add(child);
  return (source, identity) => below.has(placeOf(source, identity));
}

/** The packages whose archives carry others. */
export function carriers(nodes: readonly KeptNode[] | null): IsPlace {
  const found = (nodes ?? []).flatMap(({ source, bundled_in }) =>
    bundled_in === null ? [] : bundled_in.split('\n').map((holder) => placeOf(source, holder)),
  );
  const places = new Set(found);
  return (source, identity) => places.has(placeOf(source, identity));
}

function neededBy({ source, dependencies }: KeptNode): string[] {
  return dependencies === '' ? [] : dependencies.split('\n').map((identity) => placeOf(source, identity));
}
