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
  if (scope === 'all') {
    // Advisories take up much of the weight: of more packages than this, most would be read in vain.
    const rows = Math.ceil(limit / 2);
    const { packages, isLast } = await readAfter(tx, project, typeof after === 'number' ? undefined : after, rows);
    const taken = takeWeight(packages, wantedWeight);
    const last = taken.at(-1);
    const isEnd = isLast && taken.length === packages.length;
    return pageOf(taken, isEnd ? undefined : last && { ecosystem: last.ecosystem, package_name: last.package_name });
  }
  const begin = typeof after === 'number' ? after : 0;
  const taken = takeWeight(await readGiven(tx, project, scope.slice(begin, begin + limit)), wantedWeight);
  const end = begin + taken.length;
  return pageOf(taken, end < scope.length ? end : undefined);
}

function pageOf(taken: readonly TrackedPackage[], next: PackagePage['next']): PackagePage {
  return {
    packages: taken.filter(({ advisories, hasOpenAlert }) => advisories > 0 || hasOpenAlert),
    weight: taken.reduce((sum, each) => sum + weightOf(each), 0),
    next,
  };
}

function weightOf({ advisories }: TrackedPackage): number {
  return 1 + weightOfAdvisory * advisories;
}

function takeWeight(packages: readonly TrackedPackage[], wanted: number): readonly TrackedPackage[] {
  let sum = 0;
  const tooMany = packages.findIndex((each, at) => {
    sum += weightOf(each);
    return at > 0 && sum > wanted;
  });
  return tooMany === -1 ? packages : packages.slice(0, tooMany);
}

interface PackageRow extends TrackedPackage {
  /** The rows that were read end with it: of the stack it may have more, and packages after it may have open alerts. */
  readonly endsItems: boolean;
  readonly endsAlerts: boolean;
}

/**
 * The next packages that the stack has or an open alert is about. Reads the rows of both in the order of an index, and each
 * once: a look-up for each package may read all rows of the project each time, while the tables have no statistics.
 */
async function readAfter(
  tx: Transaction,
  project: ProjectKey,
  after: PackageKey | undefined,
  limit: number,
): Promise<{ readonly packages: readonly TrackedPackage[]; readonly isLast: boolean }> {
  await preferIndexes(tx, true);
  const { rows } = await sql<PackageRow>`
    with items as materialized (
      select ecosystem, package_name, name, version, row_number() over () as place from (
        select ${order}, name, version from tech_stack_items where ${isNext(project, after)} order by ${order} limit ${limit}
      ) as item
    ), open as materialized (
      select ecosystem, package_name, row_number() over () as place from (
        select ${order} from alerts
        where ${isNext(project, after)} and resolved_at is null order by ${order} limit ${limit}
      ) as alert
    ), known as materialized (
      select ecosystem, package_name, coalesce(min(name collate "C"), '') as name,
        coalesce(array_agg(distinct version) filter (where version is not null), '{}') as versions,
        bool_or(is_open) as "hasOpenAlert", bool_or(not is_open and place = ${limit}) as "endsItems",
        bool_or(is_open and place = ${limit}) as "endsAlerts"
      from (
        select ecosystem, package_name, name, version, place, false as is_open from items
        union all select ecosystem, package_name, null, null, place, true from open
      ) as mentioned
      group by ecosystem, package_name
    )
    select known.*, (
        select count(*)::int from advisory_packages as named
        where named.ecosystem = known.ecosystem and named.package_name = known.package_name
      ) as advisories
    from known order by known.ecosystem, known.package_name`.execute(tx);
  await preferIndexes(tx, false);
  const [items, alerts] = [rows.findIndex((row) => row.endsItems), rows.findIndex((row) => row.endsAlerts)];
  // A package with more versions than rows were read.
  if (items === 0) return readAfter(tx, project, after, limit * 2);
  const whole = rows.slice(0, Math.min(items === -1 ? rows.length : items, alerts === -1 ? rows.length : alerts + 1));
  return { packages: whole, isLast: items === -1 && alerts === -1 };
}

/**
 * Whether the planner shall avoid to sort, where an index has the order. It estimates few rows for a project that has just
 * been filled, and would read and sort all of it for each page.
 */
async function preferIndexes(tx: Transaction, shall: boolean): Promise<void> {
  const others = ['enable_sort', 'enable_incremental_sort', 'enable_seqscan', 'enable_bitmapscan'];
  await sql`select set_config(name, ${shall ? 'off' : 'on'}, true) from unnest(${others}::text[]) as name`.execute(tx);
}

const order = sql`project_id, ecosystem, package_name`;

/** Only one index of each table begins with these columns. */
function isNext({ organisationId, projectId }: ProjectKey, after: PackageKey | undefined): RawBuilder<unknown> {
  return sql`organisation_id = ${organisationId} and project_id <= ${projectId}
    and (${order}) > (${projectId}, ${after?.ecosystem ?? ''}, ${after?.package_name ?? ''})`;
}

/** The given packages. The lateral joins make the planner look up each in an index, whatever it estimates for the table sizes. */
async function readGiven(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly PackageKey[],
): Promise<readonly TrackedPackage[]> {
  const { ecosystems, names } = packageArrays(packages);
  const { rows } = await sql<TrackedPackage>`
    select keys.ecosystem, keys.package_name, coalesce(tracked.name, '') as name,
      coalesce(tracked.versions, '{}') as versions, counted.advisories, open.id is not null as "hasOpenAlert"
    from unnest(${ecosystems}::text[], ${names}::text[]) with ordinality as keys (ecosystem, package_name, place)
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
