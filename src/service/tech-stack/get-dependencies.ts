import type * as z from 'zod';
import { maxNeighbours, maxPathLength, maxPaths, type techStack } from '../../procedures/tech-stack.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/coverage.js';
import { byId } from '../db/scope.js';
import type { Completeness } from '../db/tables/projects.js';
import { notFound } from '../http/api-error.js';
import { findProject } from '../projects/find-project.js';
import { type GraphPosition, placeOf } from './dependency-graph.js';
import { describeNodes, type GraphNodeAnswer } from './graph-node.js';
import { loadSourceGraph, type SourceGraph } from './source-graph.js';
import { identityOf } from './stack-package.js';

type Answer = z.output<typeof techStack.getDependencies.output>;
type Known = Answer['parents']['known'];

/** Neighbours whose alerts decide their order, at most: a project has few components that more of its others need. */
const maxCompared = 2000;

/** What brings a tracked package in, and what it brings in, as its own source says. */
export const getDependencies: Handlers['techStack']['getDependencies'] = async (ctx, { project_id, item_id }) => {
  const { tx, organisationId, now } = ctx;
  await findProject(ctx, project_id);
  const project = { organisationId, projectId: project_id };
  const item = await tx
    .selectFrom('tech_stack_items')
    .selectAll()
    .where(byId(organisationId, item_id))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow(() => notFound('tech_stack_item'));
  const key = identityOf(item);
  const loaded = await loadSourceGraph(tx, project, item.source);
  const graph = loaded ?? {
    nodes: new Map([[key, { key, itemId: item_id, direct: item.direct, dependencies: [], known: null }]]),
    directKnown: null,
  };
  const place = placeOf(graph.nodes, key, { maxPaths, maxPathLength });
  const neighbours = [place.parents, place.children].flatMap((keys) => keys.slice(0, maxCompared));
  const nodes = await describeNodes(tx, project, item.source, graph, [key, ...neighbours, ...place.paths.flat()]);
  const own = nodes.get(key);
  if (own === undefined) throw notFound('tech_stack_item');
  const known = knownOf(graph, key, place);
  const scope = { scope: project, domain: 'dependencies' } as const;
  return {
    item: { ...own, source: item.source },
    parents: neighboursOf(place.parents, nodes, known.parents),
    children: neighboursOf(place.children, nodes, known.children),
    paths: {
      items: place.paths.map((path) => path.flatMap((each) => nodes.get(each) ?? [])),
      total: place.leading,
      known: known.paths,
    },
    coverage: await domainCoverage(tx, scope, now, countFindings(tx, project, 'dependencies')),
  };
};

/** Those with the worst alerts first, then by name. */
function neighboursOf(
  keys: readonly string[],
  nodes: ReadonlyMap<string, GraphNodeAnswer>,
  known: Known,
): Answer['parents'] {
  const items = keys.flatMap((key) => nodes.get(key) ?? []).toSorted((a, b) => compareAlerts(a, b) || byName(a, b));
  return { items: items.slice(0, maxNeighbours), total: keys.length, known };
}

function compareAlerts({ alerts: a }: GraphNodeAnswer, { alerts: b }: GraphNodeAnswer): number {
  return (b?.red ?? 0) - (a?.red ?? 0) || (b?.yellow ?? 0) - (a?.yellow ?? 0) || (b?.green ?? 0) - (a?.green ?? 0);
}

function byName(a: GraphNodeAnswer, b: GraphNodeAnswer): number {
  return compareText(a.name, b.name) || compareText(a.version ?? '', b.version ?? '');
}

/** Whether each list is all there is: a source need not say what its components need. */
function knownOf({ nodes, directKnown }: SourceGraph, key: string, { lost }: GraphPosition) {
  const states = new Set([...nodes.values()].map(({ known }) => known));
  const parents = states.size > 1 ? 'incomplete' : wordOf([...states][0] ?? null);
  const direct = wordOf(directKnown);
  return {
    parents,
    children: lost > 0 ? 'incomplete' : wordOf(nodes.get(key)?.known ?? null),
    paths: parents === direct ? parents : 'incomplete',
  } satisfies Record<string, Known>;
}

function wordOf(known: Completeness): Known {
  return known ?? 'unknown';
}
