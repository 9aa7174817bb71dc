import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { identityOf } from './stack-package.js';

/** A package of one source. */
export interface GraphNode {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly package_name: string;
  readonly version: string;
  readonly direct: boolean | null;
  /** Keys of what it needs, each on a line: no name and no version has a line break. */
  readonly dependencies: string;
}

/** Packages of graphs that one answer reads, at most: it is asked often. Of larger ones get_alert says the way. */
const maxNodes = 10_000;

/** A package of a project, in one of its versions. */
export interface Installed {
  readonly project_id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
}

/**
 * The direct dependency (package URL) that brings a package in, the nearest one; `itself` where the project asks for the
 * package. Null where no graph says it, or where the graphs are too large to be read for one answer.
 */
export async function bringers(
  tx: Transaction,
  organisationId: string,
  packages: readonly Installed[],
): Promise<(installed: Installed) => string | null> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  let left = maxNodes;
  for (const projectId of new Set(packages.map(({ project_id }) => project_id))) {
    const wanted = packages.filter(({ project_id }) => project_id === projectId);
    const nodes = await loadGraphs(tx, organisationId, projectId, wanted, left);
    if (nodes === null) continue;
    left -= nodes.length;
    known.set(projectId, nearestDirect(nodes));
  }
  return (installed) => known.get(installed.project_id)?.get(identityOf(installed)) ?? null;
}

/**
 * By each package's identity what brings it in. Goes on from all direct dependencies at once, breadth first, so the work is
 * linear in packages and edges, however many are asked for. The order of the packages makes no difference.
 */
export function nearestDirect(nodes: readonly GraphNode[]): ReadonlyMap<string, string> {
  const placeOf = ({ source }: GraphNode, identity: string) => `${source}\n${identity}`;
  const byPlace = new Map(nodes.map((node) => [placeOf(node, identityOf(node)), node]));
  const bringers = new Map<string, string>();
  const direct = nodes.flatMap((node) => (node.direct === true ? [{ node, bringer: printPurl(node) }] : []));
  const waiting = direct.toSorted((a, b) => compareText(a.bringer, b.bringer));
  const seen = new Set(waiting.map(({ node }) => node));
  for (const { node } of waiting) bringers.set(identityOf(node), 'itself');
  for (const { node, bringer } of waiting) {
    for (const identity of node.dependencies === '' ? [] : node.dependencies.split('\n')) {
      const needed = byPlace.get(placeOf(node, identity));
      if (needed === undefined || seen.has(needed)) continue;
      seen.add(needed);
      waiting.push({ node: needed, bringer });
      if (!bringers.has(identity)) bringers.set(identity, bringer);
    }
  }
  return bringers;
}

/** All packages of the project's sources that have one of the wanted packages; null where they are more than `limit`. */
async function loadGraphs(
  tx: Transaction,
  organisationId: string,
  projectId: string,
  wanted: readonly Installed[],
  limit: number,
): Promise<GraphNode[] | null> {
  const names = wanted.map(({ package_name }) => package_name);
  const ofProject = inScope({ organisationId, projectId });
  // In two steps: right after a sync the database knows no figures of the new rows, and would compare all with all.
  const { rows: sources } = await sql<{ readonly source: string }>`
    select distinct source from tech_stack_items where ${ofProject} and package_name = any (${names}::text[])`.execute(
    tx,
  );
  const { rows } = await sql<GraphNode>`
    select source, ecosystem, name, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies
    from tech_stack_items
    where ${ofProject} and source = any (${sources.map(({ source }) => source)}::text[])
    limit ${limit + 1}`.execute(tx);
  return rows.length > limit ? null : rows;
}
