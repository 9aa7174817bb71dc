import { sql } from 'kysely';
import { detailLimits } from '../../procedures/alert-details.js';
import type { AlertWithVerdict } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { inScope } from '../db/scope.js';
import { placeOf } from '../tech-stack/dependency-graph.js';
import { describeNodes } from '../tech-stack/graph-node.js';
import { loadSourceGraph } from '../tech-stack/source-graph.js';
import { identityOf } from '../tech-stack/stack-package.js';

export interface Places {
  /** As purls, the shortest first. Null where no source says what brings the package in. */
  readonly dependency_paths: string[][] | null;
  /** Whether the project asks for the package itself; null where that is not known. */
  readonly is_direct: boolean | null;
}

/** Sources of one package that are looked at: an application and its tools seldom have more. */
const maxSources = 3;

/** Where the affected package stands in the graphs of its sources. */
export async function findPlaces({ tx, organisationId }: Context, alert: AlertWithVerdict): Promise<Places> {
  const project = { organisationId, projectId: alert.project_id };
  const items = await tx
    .selectFrom('tech_stack_items')
    .select(['ecosystem', 'package_name', 'version', 'source', 'direct'])
    .where(inScope(project))
    .where('ecosystem', '=', alert.ecosystem)
    .where('package_name', '=', alert.package_name)
    .where(sql<boolean>`version = any (${alert.versions}::text[])`)
    .orderBy('direct', (order) => order.desc().nullsLast())
    .orderBy('source')
    .orderBy('version')
    .limit(maxSources)
    .execute();
  const found: string[][] = [];
  let known = false;
  for (const item of items) {
    const graph = await loadSourceGraph(tx, project, item.source);
    if (graph === null) continue;
    const bounds = { maxPaths: detailLimits.paths, maxPathLength: detailLimits.steps };
    const { paths } = placeOf(graph.nodes, identityOf(item), bounds);
    if (paths.length > 0 || graph.directKnown === 'complete') known = true;
    const nodes = await describeNodes(tx, project, item.source, graph, paths.flat());
    found.push(...paths.map((path) => path.flatMap((key) => nodes.get(key)?.purl ?? [])));
  }
  const direct = items.map((item) => item.direct);
  return {
    dependency_paths: known ? withinBounds(found) : null,
    is_direct: direct.includes(true) ? true : direct.length === 0 || direct.includes(null) ? null : false,
  };
}

/** The shortest ways, as many as an answer bears. */
function withinBounds(paths: readonly string[][]): string[][] {
  const shown: string[][] = [];
  let characters = 0;
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    characters += path.join('').length;
    if (shown.length === detailLimits.paths || characters > detailLimits.pathText) break;
    shown.push([...path]);
  }
  return shown;
}
