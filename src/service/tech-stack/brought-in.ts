import { sql } from 'kysely';
import { ecosystems } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { invalidField } from '../http/api-error.js';
import type { GraphNode } from './bringers.js';
import { identityOf } from './stack-package.js';

/** Packages of graphs that one list reads, at most: some 100 ms. */
const maxNodes = 50_000;

type Node = GraphNode & { readonly id: string; readonly project_id: string };

/**
 * The ids of what a package brings in, in any version of it, through others too. An error where the graphs are too large
 * for one answer.
 */
export async function broughtIn(tx: Transaction, scope: Scope, name: string): Promise<string[]> {
  const names = [...new Set([name, ...ecosystems.map((ecosystem) => normaliseName(ecosystem, name))])];
  const isBringer = sql`ecosystem = any (${[...ecosystems]}::text[]) and package_name = any (${names}::text[])`;
  const { rows: sources } = await sql<Pick<Node, 'project_id' | 'source'>>`
    select distinct project_id, source from tech_stack_items as item where ${isListed(scope, 'item')} and ${isBringer}`.execute(
    tx,
  );
  const { rows } = await sql<Node>`
    select id, item.project_id, item.source, ecosystem, name, package_name, version, direct,
      array_to_string(dependencies, E'\n') as dependencies
    from unnest(${sources.map(({ project_id }) => project_id)}::text[], ${sources.map(({ source }) => source)}::text[])
      as asked (project_id, source)
    join tech_stack_items as item on item.organisation_id = ${scope.organisationId}
      and item.project_id = asked.project_id and item.source = asked.source
    limit ${maxNodes + 1}`.execute(tx);
  if (rows.length > maxNodes) throw invalidField('introduced_by', 'too_many_packages');
  return reachedFrom(rows, (node) => names.includes(node.package_name));
}

/** Goes on from all of them at once, breadth first: the work is linear in packages and edges. */
function reachedFrom(nodes: readonly Node[], isBringer: (node: Node) => boolean): string[] {
  const placeOf = ({ project_id, source }: Node, identity: string) => `${project_id}\n${source}\n${identity}`;
  const byPlace = new Map(nodes.map((node) => [placeOf(node, identityOf(node)), node]));
  const reached = new Set<string>();
  const waiting = nodes.filter(isBringer);
  for (const node of waiting) {
    for (const identity of node.dependencies === '' ? [] : node.dependencies.split('\n')) {
      const needed = byPlace.get(placeOf(node, identity));
      if (needed === undefined || reached.has(needed.id)) continue;
      reached.add(needed.id);
      waiting.push(needed);
    }
  }
  return [...reached];
}
