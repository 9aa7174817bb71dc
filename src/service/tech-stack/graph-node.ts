import { sql } from 'kysely';
import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { countAlertsOf } from './item-alerts.js';
import type { SourceGraph } from './source-graph.js';

export type GraphNodeAnswer = z.output<typeof techStack.getDependencies.output>['parents']['items'][number];

/** The components with these keys as the API answers them, by key. */
export async function describeNodes(
  tx: Transaction,
  project: ProjectKey,
  source: string,
  { nodes }: SourceGraph,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, GraphNodeAnswer>> {
  const asked = [...new Set(keys)];
  const ids = asked.flatMap((key) => nodes.get(key)?.itemId ?? []);
  const items = await tx
    .selectFrom('tech_stack_items')
    .select(['id', 'project_id', 'ecosystem', 'name', 'package_name', 'version', 'scope', 'direct'])
    .where('organisation_id', '=', project.organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute();
  const alerts = await countAlertsOf(tx, project.organisationId, items);
  const ofItem = new Map(
    items.map(({ id: item_id, project_id: _project, package_name: _compared, ...item }, place) => {
      const purl = printPurl(item);
      return [item_id, { item_id, ...item, purl, alerts: alerts[place] ?? null }] as const;
    }),
  );
  const others = asked.filter((key) => nodes.get(key)?.itemId === null);
  const components = await tx
    .selectFrom('unmatched_components')
    .select(['key', 'name', 'version', 'purl', 'scope', 'direct'])
    .where(inScope(project))
    .where('source', '=', source)
    .where(sql<boolean>`key = any (${others}::text[])`)
    .execute();
  const ofComponent = new Map(
    components.map(({ key, ...rest }) => [key, { item_id: null, ecosystem: null, ...rest, alerts: null }] as const),
  );
  const described = asked.flatMap((key): [string, GraphNodeAnswer][] => {
    const node = ofItem.get(nodes.get(key)?.itemId ?? '') ?? ofComponent.get(key);
    return node === undefined ? [] : [[key, node]];
  });
  return new Map(described);
}
