import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';

/** A package by the name that advisories are matched by, and as its registry spells it. */
export interface NamedKey {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** A list is asked for again after a day, and forgotten after a month in which nobody needed it. */
const maxAgeMs = { asked: dayMs, kept: 30 * dayMs };

/** Those whose list is not known, or a day old. */
export async function withoutList(
  tx: Transaction,
  packages: readonly NamedKey[],
  now: Date,
): Promise<readonly NamedKey[]> {
  const ecosystems = packages.map(({ ecosystem }) => ecosystem);
  const names = packages.map(({ package_name }) => package_name);
  const since = new Date(now.getTime() - maxAgeMs.asked);
  const { rows } = await sql<{ place: number }>`
    select asked.place::integer as place
    from unnest(${ecosystems}::text[], ${names}::text[]) with ordinality as asked (ecosystem, package_name, place)
    where not exists (
      select from registry_versions as list where list.ecosystem = asked.ecosystem
        and list.package_name = asked.package_name and list.looked_up_at > ${since}
    )
    order by asked.place`.execute(tx);
  return rows.flatMap(({ place }) => packages[place - 1] ?? []);
}

/** Remembers a list, and forgets old ones. */
export async function storeList(
  tx: Transaction,
  { ecosystem, package_name }: NamedKey,
  versions: readonly string[],
  now: Date,
): Promise<void> {
  const old = new Date(now.getTime() - maxAgeMs.kept);
  await tx.deleteFrom('registry_versions').where('looked_up_at', '<', old).execute();
  const known = { versions: [...versions], looked_up_at: now };
  await tx
    .insertInto('registry_versions')
    .values({ ecosystem, package_name, ...known })
    .onConflict((conflict) => conflict.columns(['ecosystem', 'package_name']).doUpdateSet(known))
    .execute();
}

/** Packages that one run asks for, at most. */
const maxPackages = 200;

/** Packages of unresolved alerts with a version to propose, whose list of versions is not known or a day old. */
export async function packagesToList(tx: Transaction, now: Date): Promise<NamedKey[]> {
  const since = new Date(now.getTime() - maxAgeMs.asked);
  const { rows } = await sql<NamedKey>`
    select ecosystem, package_name, min(coalesce(name, package_name) collate "C") as name
    from alerts
    where resolved_at is null and safe_version is not null and not exists (
      select from registry_versions as list where list.ecosystem = alerts.ecosystem
        and list.package_name = alerts.package_name and list.looked_up_at > ${since}
    )
    group by ecosystem, package_name
    order by ecosystem, package_name
    limit ${maxPackages}`.execute(tx);
  return rows;
}
