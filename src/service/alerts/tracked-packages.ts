import { type RawBuilder, sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';

/** A package without a version, by the name that its registry compares. */
export interface PackageKey {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
}

/** The packages whose stack or intelligence has changed. */
export type PackageScope = 'all' | readonly PackageKey[];

/** A package of a project: its stack has it, or an open alert is about it. */
export interface TrackedPackage extends PackageKey {
  /** As a manifest spells it; of several spellings the lowest. Empty where the stack no longer has it. */
  readonly name: string;
  /** None where the stack no longer has it. */
  readonly versions: readonly string[];
  /** Advisories that name the package, whether or not they affect these versions. */
  readonly advisories: number;
  readonly hasOpenAlert: boolean;
}

/** Where a walk through the packages stands: after a package, or a number of the given ones. */
export type PackagePlace = PackageKey | number | undefined;

export interface PackagePage {
  /** Those that an advisory names or that have an open alert. */
  readonly packages: readonly TrackedPackage[];
  /** How much work they are, at least 1: as many as the packages read, and an advisory counts like several of them. */
  readonly weight: number;
  /** Undefined after the last one. */
  readonly next: Exclude<PackagePlace, undefined> | undefined;
}

/** An advisory has to be read and compared; a package without one only to be looked up. */
const weightOfAdvisory = 4;

/** Packages as arrays of columns, for `unnest`. */
export function packageArrays(packages: readonly PackageKey[]) {
  return {
    ecosystems: packages.map(({ ecosystem }) => ecosystem),
    names: packages.map(({ package_name }) => package_name),
  };
}

/** The condition that a row is about one of the packages. */
export function isAmong(packages: PackageScope) {
  if (packages === 'all') return sql<boolean>`true`;
  const { ecosystems, names } = packageArrays(packages);
  return sql<boolean>`(ecosystem, package_name) in (select * from unnest(${ecosystems}::text[], ${names}::text[]))`;
}

/**
 * The project's next packages, of all or of those in scope. As many as have the wanted weight together, and at least one.
 *
 * @param after the `next` of the page before; undefined for the first one
 */
export async function nextPackages(
  tx: Transaction,
  project: ProjectKey,
  scope: PackageScope,
  after: PackagePlace,
  wantedWeight: number,
): Promise<PackagePage> {
  const limit = Math.max(1, Math.floor(wantedWeight));
  const begin = typeof after === 'number' ? after : 0;
  const given = scope === 'all' ? null : scope.slice(begin, begin + limit);
  const keys =
    given === null ? keysAfter(project, typeof after === 'number' ? undefined : after, limit) : asKeys(given);
  const read = await readPackages(tx, project, keys);
  const taken = takeWeight(read, wantedWeight);
  const last = taken.at(-1);
  const isPart = taken.length < read.length;
  return {
    packages: taken.filter(({ advisories, hasOpenAlert }) => advisories > 0 || hasOpenAlert),
    weight: taken.reduce((sum, each) => sum + weightOf(each), 0),
    next:
      given === null
        ? isPart || read.length === limit
          ? last && { ecosystem: last.ecosystem, package_name: last.package_name }
          : undefined
        : isPart
          ? begin + (last?.place ?? 0)
          : begin + limit < scope.length
            ? begin + limit
            : undefined,
  };
}

interface PlacedPackage extends TrackedPackage {
  /** Its place among the keys that were asked for, from 1. */
  readonly place: number;
}

function weightOf({ advisories }: TrackedPackage): number {
  return 1 + weightOfAdvisory * advisories;
}

function takeWeight(packages: readonly PlacedPackage[], wanted: number): readonly PlacedPackage[] {
  let sum = 0;
  const tooMany = packages.findIndex((each, at) => {
    sum += weightOf(each);
    return at > 0 && sum > wanted;
  });
  return tooMany === -1 ? packages : packages.slice(0, tooMany);
}

/** The keys of packages that the stack has or an open alert is about. Each part reads only as much of an index as it needs. */
function keysAfter(project: ProjectKey, after: PackageKey | undefined, limit: number): RawBuilder<unknown> {
  const isAfter = sql`(ecosystem, package_name) > (${after?.ecosystem ?? ''}, ${after?.package_name ?? ''})`;
  return sql`
    select ecosystem, package_name, row_number() over (order by ecosystem, package_name)::int as place from (
      (select distinct ecosystem, package_name from tech_stack_items
        where ${inScope(project)} and ${isAfter} order by ecosystem, package_name limit ${limit})
      union
      (select distinct ecosystem, package_name from alerts
        where ${inScope(project)} and resolved_at is null and ${isAfter} order by ecosystem, package_name limit ${limit})
    ) as known
    order by ecosystem, package_name limit ${limit}`;
}

function asKeys(packages: readonly PackageKey[]): RawBuilder<unknown> {
  const { ecosystems, names } = packageArrays(packages);
  return sql`
    select ecosystem, package_name, place::int
    from unnest(${ecosystems}::text[], ${names}::text[]) with ordinality as given (ecosystem, package_name, place)`;
}

/** The lateral joins make the planner look up each package in an index, whatever it estimates for the table sizes. */
async function readPackages(tx: Transaction, project: ProjectKey, keys: RawBuilder<unknown>): Promise<PlacedPackage[]> {
  const { rows } = await sql<PlacedPackage>`
    with keys as materialized (${keys})
    select keys.ecosystem, keys.package_name, keys.place, coalesce(tracked.name, '') as name,
      coalesce(tracked.versions, '{}') as versions, counted.advisories, open.id is not null as "hasOpenAlert"
    from keys
    cross join lateral (
      select min(item.name collate "C") as name, array_agg(distinct item.version) as versions
      from tech_stack_items as item
      where ${inScope(project, 'item')} and item.ecosystem = keys.ecosystem and item.package_name = keys.package_name
    ) as tracked
    cross join lateral (
      select count(*)::int as advisories from advisory_packages as named
      where named.ecosystem = keys.ecosystem and named.package_name = keys.package_name
    ) as counted
    left join lateral (
      select alert.id from alerts as alert
      where ${inScope(project, 'alert')} and alert.resolved_at is null
        and alert.ecosystem = keys.ecosystem and alert.package_name = keys.package_name
      limit 1
    ) as open on true
    order by keys.place`.execute(tx);
  return rows;
}
