import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type GraphNode, shortestPaths } from '../alert-details/dependency-paths.js';
import type { Transaction } from '../db/database.js';

/** Packages of graphs that one answer reads, at most: of more projects the rest is not looked for. */
const maxNodes = 20_000;

/** Versions of a package of a project. */
export interface Brought {
  readonly project_id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly versions: readonly string[];
  /** The project asks for it itself; null: not known. */
  readonly direct: boolean | null;
}

/**
 * The direct dependency (package URL) that brings a package in, the nearest one. Null of a package that the project asks for
 * itself, and where no graph says it or the graphs are too large to be read for one answer.
 */
export async function bringers(
  tx: Transaction,
  organisationId: string,
  packages: readonly Brought[],
): Promise<(affected: Brought) => string | null> {
  const projects = [...new Set(packages.flatMap((each) => (each.direct === false ? [each.project_id] : [])))];
  const graphs = new Map<string, readonly GraphNode[]>();
  let left = maxNodes;
  for (const project of projects) {
    const nodes = await loadProject(tx, organisationId, project, left);
    if (nodes === null) continue;
    left -= nodes.length;
    graphs.set(project, nodes);
  }
  return ({ project_id, ecosystem, package_name, versions, direct }) => {
    const nodes = graphs.get(project_id);
    if (direct !== false || nodes === undefined) return null;
    const affected = new Set(versions);
    const isTarget = (node: GraphNode) =>
      node.package_name === package_name && node.ecosystem === ecosystem && affected.has(node.version);
    const [path = []] = shortestPaths(nodes, isTarget) ?? [];
    return path.length > 1 ? (path[0] ?? null) : null;
  };
}

/** All packages of a project that may be part of a graph; null where they are more than `limit`. */
async function loadProject(
  tx: Transaction,
  organisationId: string,
  projectId: string,
  limit: number,
): Promise<GraphNode[] | null> {
  const { rows } = await sql<GraphNode>`
    select source, ecosystem, name, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies
    from tech_stack_items
    where organisation_id = ${organisationId} and project_id = ${projectId}
    order by source, ecosystem, package_name, version
    limit ${limit + 1}`.execute(tx);
  return rows.length > limit ? null : rows;
}
