import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { Completeness } from '../db/tables/projects.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { GraphNode } from './dependency-graph.js';

/** Edges that one answer reads, at most. The largest known lock files have a tenth. */
const maxEdges = 250_000;

interface SourceNode extends GraphNode {
  /** Of a tracked package; null for a component that no feed matches. */
  readonly itemId: string | null;
  readonly known: Completeness;
}

export interface SourceGraph {
  readonly nodes: ReadonlyMap<string, SourceNode>;
  /** Of the project's direct dependencies that the source names. */
  readonly directKnown: Completeness;
}

/** The dependency graph of one source; null where it is too large to be read for one answer. */
export async function loadSourceGraph(
  tx: Transaction,
  project: ProjectKey,
  source: string,
): Promise<SourceGraph | null> {
  const ofSource = sql`${inScope(project)} and source = ${source}`;
  const all = sql`
    select id, ecosystem || ' ' || package_name || ' ' || version as key, direct, dependencies, dependencies_known
    from tech_stack_items where ${ofSource}
    union all
    select null, key, direct, dependencies, dependencies_known from unmatched_components where ${ofSource}`;
  const size = await sql<{ edges: number }>`
    select coalesce(sum(cardinality(dependencies)), 0)::integer as edges from (${all}) as component`.execute(tx);
  if ((size.rows[0]?.edges ?? 0) > maxEdges) return null;
  const { rows } = await sql<{
    id: string | null;
    key: string;
    direct: boolean | null;
    dependencies: string[];
    dependencies_known: Completeness;
  }>`
    select id, key, direct, to_json(dependencies) as dependencies, dependencies_known
    from (${all}) as component order by key`.execute(tx);
  const direct = await tx
    .selectFrom('stack_sources')
    .select('direct_known')
    .where(inScope(project))
    .where('source', '=', source)
    .executeTakeFirst();
  return {
    nodes: new Map(
      rows.map(({ id: itemId, dependencies_known: known, ...node }) => [node.key, { ...node, itemId, known }]),
    ),
    directKnown: direct?.direct_known ?? null,
  };
}
