import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { GraphNode } from '../alert-details/dependency-paths.js';
import type { Transaction } from '../db/database.js';
import { identityOf } from '../tech-stack/stack-package.js';

/** Packages of graphs that one answer reads, at most. Projects beyond it are read by no answer of many projects. */
const maxNodes = 20_000;

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
  const nearest = new Map<string, ReadonlyMap<string, GraphNode>>();
  let left = maxNodes;
  for (const projectId of new Set(packages.map(({ project_id }) => project_id))) {
    const wanted = packages.filter(({ project_id }) => project_id === projectId);
    const nodes = await loadGraphs(tx, organisationId, projectId, wanted, left);
    if (nodes === null) continue;
    left -= nodes.length;
    nearest.set(projectId, nearestDirect(nodes));
  }
  return (installed) => {
    const key = identityOf(installed);
    const bringer = nearest.get(installed.project_id)?.get(key);
    if (bringer === undefined) return null;
    return identityOf(bringer) === key ? 'itself' : printPurl(bringer);
  };
}

/**
 * The nearest direct dependency of each package that one leads to, by the package's key; its own if it is one. Goes out from all
 * direct ones at once, breadth first, so the work is linear in packages and edges, however many packages are asked for.
 */
function nearestDirect(nodes: readonly GraphNode[]): ReadonlyMap<string, GraphNode> {
  const inSource = new Map(nodes.map((node) => [`${node.source}\n${identityOf(node)}`, node]));
  const found = new Map<string, GraphNode>();
  const seen = new Map<GraphNode, GraphNode>();
  const waiting = nodes.filter(({ direct }) => direct === true);
  for (const node of waiting) seen.set(node, node);
  for (const node of waiting) {
    const bringer = seen.get(node) ?? node;
    const key = identityOf(node);
    if (!found.has(key)) found.set(key, bringer);
    for (const needed of node.dependencies === '' ? [] : node.dependencies.split('\n')) {
      const next = inSource.get(`${node.source}\n${needed}`);
      if (next === undefined || seen.has(next)) continue;
      seen.set(next, bringer);
      waiting.push(next);
    }
  }
  return found;
}

/** All packages of the project's sources that have one of the wanted packages; null where they are more than `limit`. */
async function loadGraphs(
  tx: Transaction,
  organisationId: string,
  projectId: string,
  wanted: readonly Installed[],
  limit: number,
): Promise<GraphNode[] | null> {
  const [ecosystems, names] = [wanted.map(({ ecosystem }) => ecosystem), wanted.map((each) => each.package_name)];
  const { rows } = await sql<GraphNode>`
    select source, ecosystem, name, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies
    from tech_stack_items
    where organisation_id = ${organisationId} and project_id = ${projectId} and source in (
      select source from tech_stack_items
      where organisation_id = ${organisationId} and project_id = ${projectId}
        and (ecosystem, package_name) in (select * from unnest(${ecosystems}::text[], ${names}::text[]))
    )
    order by source, ecosystem, package_name, version
    limit ${limit + 1}`.execute(tx);
  return rows.length > limit ? null : rows;
}
