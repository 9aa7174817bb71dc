import { sql } from 'kysely';
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

export interface TrackedPackage extends PackageKey {
  /** As a manifest spells it; of several spellings the lowest. */
  readonly name: string;
  readonly versions: readonly string[];
  /** Advisories that name the package, whether or not they affect these versions. */
  readonly advisories: number;
}

/** Packages of one query and advisories of one batch. An advisory takes a few kilobytes, a package hardly any. */
const packageBatchSize = 5_000;
const advisoryBatchSize = 2_000;

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

/** The project's packages that any advisory names, in batches with a limited number of advisories. */
export async function* trackedPackages(
  tx: Transaction,
  project: ProjectKey,
  scope: PackageScope,
): AsyncGenerator<readonly TrackedPackage[]> {
  let after: PackageKey | undefined;
  do {
    const page = await readPage(tx, project, scope, after);
    yield* byWeight(page.filter(({ advisories }) => advisories > 0));
    after = page.length === packageBatchSize ? page.at(-1) : undefined;
  } while (after !== undefined);
}

/** The lateral join makes the planner look up each package in the index, whatever it estimates for the table sizes. */
async function readPage(tx: Transaction, key: ProjectKey, scope: PackageScope, after: PackageKey | undefined) {
  const { rows } = await sql<TrackedPackage>`
    with tracked as materialized (
      select ecosystem, package_name, min(name collate "C") as name, array_agg(distinct version) as versions
      from tech_stack_items
      where ${inScope(key)} and ${isAmong(scope)}
        and (ecosystem, package_name) > (${after?.ecosystem ?? ''}, ${after?.package_name ?? ''})
      group by ecosystem, package_name
      order by ecosystem, package_name
      limit ${packageBatchSize}
    )
    select tracked.*, counted.advisories
    from tracked cross join lateral (
      select count(*)::int as advisories from advisory_packages as named
      where named.ecosystem = tracked.ecosystem and named.package_name = tracked.package_name
    ) as counted
    order by ecosystem, package_name`.execute(tx);
  return rows;
}

function* byWeight(packages: readonly TrackedPackage[]): Generator<readonly TrackedPackage[]> {
  let batch: TrackedPackage[] = [];
  let weight = 0;
  for (const each of packages) {
    if (batch.length > 0 && weight + each.advisories > advisoryBatchSize) {
      yield batch;
      batch = [];
      weight = 0;
    }
    batch.push(each);
    weight += each.advisories;
  }
  if (batch.length > 0) yield batch;
}
