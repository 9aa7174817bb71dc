import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Transaction } from '../db/database.js';
import { keysOf, type StackNode } from './ancestors.js';

/**
 * Those of the packages whose names a registry may see. A scope of npm or a vendor of Packagist can be an organisation's own. It is
 * public where an advisory names a package of it, or where a release that the registry has listed asks for the very package. Names
 * without a scope are everybody's.
 *
 * @param nodes all packages of the graph
 * @param mirrored ecosystems whose registry the operator has named: it may see every name
 */
export async function publicNames(
  tx: Transaction,
  packages: readonly StackNode[],
  nodes: readonly StackNode[],
  mirrored: ReadonlySet<Ecosystem>,
): Promise<readonly StackNode[]> {
  const doubtful = new Map<string, StackNode>();
  for (const node of packages) {
    if (node.package_name.includes('/') && !mirrored.has(node.ecosystem)) doubtful.set(packageKey(node), node);
  }
  if (doubtful.size === 0) return packages;
  const known = await knownScopes(tx, [...doubtful.values()]);
  for (const [key, node] of doubtful) if (known.has(scopeOf(node))) doubtful.delete(key);
  const listed = await namedByReleases(tx, doubtful, nodes);
  return packages.filter((node) => !doubtful.has(packageKey(node)) || listed.has(packageKey(node)));
}

function scopeOf({ ecosystem, package_name }: StackNode): string {
  return `${ecosystem} ${package_name.slice(0, package_name.indexOf('/'))}`;
}

/** Scopes of which an advisory names a package. One about malware does not count: its author may have taken another's scope for a name. */
async function knownScopes(tx: Transaction, packages: readonly StackNode[]): Promise<ReadonlySet<string>> {
  const scopes = [...new Set(packages.map(scopeOf))];
  const { rows } = await sql<{ scope: string }>`
    select asked.scope from unnest(${scopes}::text[]) as asked (scope)
    where exists (
      select from advisory_packages as named join advisories on advisories.id = named.advisory_id
      where named.ecosystem in ('npm', 'Packagist') and named.package_name like '%/%'
        and named.ecosystem || ' ' || split_part(named.package_name, '/', 1) = asked.scope and not advisories.malicious
    )`.execute(tx);
  return new Set(rows.map(({ scope }) => scope));
}

/** Keys of packages that a known release of one of their parents asks for. */
async function namedByReleases(
  tx: Transaction,
  packages: ReadonlyMap<string, StackNode>,
  nodes: readonly StackNode[],
): Promise<ReadonlySet<string>> {
  const edges = new Map<string, { readonly parent: StackNode; readonly child: string }>();
  for (const parent of nodes) {
    for (const key of keysOf(parent)) {
      const child = key.slice(0, key.lastIndexOf(' '));
      if (packages.has(child)) edges.set(`${packageKey(parent)} ${child}`, { parent, child });
    }
  }
  if (edges.size === 0) return new Set();
  const all = [...edges.values()];
  const { rows } = await sql<{ child: string }>`
    select distinct edge.ecosystem || ' ' || edge.child as child
    from unnest(${all.map(({ parent }) => parent.ecosystem)}::text[], ${all.map(({ parent }) => parent.package_name)}::text[],
      ${all.map(({ child }) => child.slice(child.indexOf(' ') + 1))}::text[]) as edge (ecosystem, parent, child)
    join registry_versions as list on list.ecosystem = edge.ecosystem and list.package_name = edge.parent
    where strpos(list.releases, '"' || edge.child || '":') > 0`.execute(tx);
  return new Set(rows.map(({ child }) => child));
}
