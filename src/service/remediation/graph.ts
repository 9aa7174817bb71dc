import { sql } from 'kysely';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { Asker } from '../db/tables/projects.js';
import type { ProjectKey } from '../projects/find-project.js';
import { identityOf } from '../tech-stack/stack-package.js';
import { askersOf, type Overrider } from './edits.js';

/** Packages of one project's graph that a plan reads, at most. Of larger ones no package is sure to be kept. */
const maxNodes = 20_000;

/** A package of one source, as it is read. */
export interface StackRow {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
  readonly version: string;
  readonly direct: boolean | null;
  /** Keys of what it needs, each on a line. */
  readonly dependencies: string;
  /** Keys of what carries a copy in its archive, each on a line. */
  readonly bundled_in: string | null;
  readonly ranges: Readonly<Record<string, string>> | null;
  readonly asked_by: readonly Asker[] | null;
  /** The tool that writes the lock file, as `pnpm@11.21.0`; null where it is not known. */
  readonly tool: string | null;
}

/** One version of a package in one source. */
export interface Installed extends Omit<StackRow, 'dependencies' | 'ranges' | 'bundled_in'> {
  /** The source and the identity: see `placeOf`. */
  readonly place: string;
  /** Its dependencies, with the range that it asks for; null: not known. */
  readonly needs: readonly Need[];
  /** Overrides that the project has for it already. */
  readonly overridden_by?: readonly Overrider[];
  /** Places of what carries a copy in its archive; empty: not known which; null: nothing does. */
  readonly bundledIn: readonly string[] | null;
}

interface Need {
  readonly place: string;
  readonly range: string | null;
}

/** The installed packages of a project and their dependencies. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, Installed>;
  /** The dependents of each place. */
  readonly dependents: ReadonlyMap<string, readonly Installed[]>;
  /** All versions of a package in a source, by `packageIn`. */
  readonly versions: ReadonlyMap<string, readonly Installed[]>;
  /** The direct dependencies. A source that does not know them has the packages that nothing else needs. */
  readonly roots: readonly Installed[];
  /** Packages that are not reachable from the roots, because the source does not know all edges. */
  readonly orphans: readonly Installed[];
  /** The packages that the archive of a place carries. */
  readonly carried: ReadonlyMap<string, readonly Installed[]>;
}

/** The whole graph of a project; null where it is too large. */
export async function loadGraph(tx: Transaction, project: ProjectKey): Promise<Graph | null> {
  const { rows } = await sql<StackRow>`
    select item.source, ecosystem, package_name, name, version, direct, ranges, asked_by, held.tool,
      array_to_string(dependencies, E'\n') as dependencies, array_to_string(bundled_in, E'\n') as bundled_in
    from tech_stack_items as item
    left join stack_sources as held on ${inScope(project, 'held')} and held.source = item.source
    where ${inScope(project, 'item')} limit ${maxNodes + 1}`.execute(tx);
  return rows.length > maxNodes ? null : graphOf(rows);
}

export async function graphOf(rows: readonly StackRow[]): Promise<Graph> {
  const pause = yieldToEventLoop();
  const nodes = new Map<string, Installed>();
  const dependents = new Map<string, Installed[]>();
  const versions = new Map<string, Installed[]>();
  const carried = new Map<string, Installed[]>();
  for (const { dependencies, ranges, bundled_in, ...row } of rows) {
    await pause();
    const needs = linesOf(dependencies).map((key) => ({
      place: placeOf(row.source, key),
      range: ranges?.[key] ?? null,
    }));
    const bundledIn = bundled_in === null ? null : linesOf(bundled_in).map((key) => placeOf(row.source, key));
    const node = { ...row, ...askersOf(row.asked_by), place: placeOf(row.source, identityOf(row)), needs, bundledIn };
    nodes.set(node.place, node);
    append(versions, packageIn(row.source, row), node);
    for (const { place } of needs) append(dependents, place, node);
    for (const holder of bundledIn ?? []) append(carried, holder, node);
  }
  const roots = [...nodes.values()].filter(({ direct, place }) => direct ?? !dependents.has(place));
  const reached = new Set(roots);
  for (const { needs } of reached) {
    await pause();
    for (const { place } of needs) {
      const needed = nodes.get(place);
      if (needed !== undefined) reached.add(needed);
    }
  }
  const orphans = [...nodes.values()].filter((node) => !reached.has(node));
  return { nodes, dependents, versions, roots, orphans, carried };
}

/** The installed packages that a package needs. */
export function neededBy({ needs }: Installed, { nodes }: Graph): readonly Installed[] {
  return needs.flatMap(({ place }) => nodes.get(place) ?? []);
}

function linesOf(keys: string | null): string[] {
  return keys === null || keys === '' ? [] : keys.split('\n');
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

export function placeOf(source: string, identity: string): string {
  return `${source}\n${identity}`;
}

/** The source of a key that `placeOf` or `packageIn` has made. */
export function sourceOf(key: string): string {
  return key.slice(0, key.indexOf('\n'));
}

/** A package in one source, whatever its version. */
export function packageIn(source: string, named: Pick<StackRow, 'ecosystem' | 'package_name'>): string {
  return `${source}\n${packageKey(named)}`;
}
