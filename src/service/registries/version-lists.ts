import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';
import type { KeptList } from './read-list.js';

/** A package by the name that advisories are matched by, and as its registry spells it. */
export interface NamedKey {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
}

/** Days that a list of a registry is believed to be whole. What it has shown stays published. */
export const maxListDays = 7;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/**
 * A list is asked for again after a day, or some hours after a registry has not answered: it may be larger than what is read. It is
 * forgotten after a month in which nobody needed it.
 */
export const maxAgeMs = { asked: dayMs, failed: 6 * hourMs, kept: 30 * dayMs };

/** Packages whose list is not known, or a day old. */
export interface Wanted {
  readonly unknown: readonly NamedKey[];
  /** Others, which their registry has failed to give in the last hours. */
  readonly failed: number;
}

export async function withoutList(tx: Transaction, packages: readonly NamedKey[], now: Date): Promise<Wanted> {
  const ecosystems = packages.map(({ ecosystem }) => ecosystem);
  const names = packages.map(({ package_name }) => package_name);
  const before = (ms: number) => new Date(now.getTime() - ms);
  const { rows } = await sql<{ place: number; failed: boolean }>`
    select asked.place::integer as place, coalesce(list.failed_at > ${before(maxAgeMs.failed)}, false) as failed
    from unnest(${ecosystems}::text[], ${names}::text[]) with ordinality as asked (ecosystem, package_name, place)
    left join registry_versions as list on list.ecosystem = asked.ecosystem and list.package_name = asked.package_name
    where list.looked_up_at is null or list.looked_up_at <= ${before(maxAgeMs.asked)}
    order by asked.place`.execute(tx);
  const unknown = rows.flatMap(({ place, failed }) => (failed ? [] : (packages[place - 1] ?? [])));
  return { unknown, failed: rows.length - unknown.length };
}

/** Remembers a list. */
export async function storeList(
  tx: Transaction,
  { ecosystem, package_name }: NamedKey,
  { versions, yanked, latest, releases }: KeptList,
  now: Date,
): Promise<void> {
  const known = {
    versions: [...versions],
    yanked: [...yanked],
    latest,
    releases,
    looked_up_at: now,
    failed_at: null,
  };
  await tx
    .insertInto('registry_versions')
    .values({ ecosystem, package_name, ...known })
    .onConflict((conflict) => conflict.columns(['ecosystem', 'package_name']).doUpdateSet(known))
    .execute();
}

/** Remembers that there was no answer. An earlier list stays as it was. */
export async function storeFailure(tx: Transaction, { ecosystem, package_name }: NamedKey, now: Date): Promise<void> {
  await tx
    .insertInto('registry_versions')
    .values({ ecosystem, package_name, versions: [], looked_up_at: new Date(0), failed_at: now })
    .onConflict((conflict) => conflict.columns(['ecosystem', 'package_name']).doUpdateSet({ failed_at: now }))
    .execute();
}

/** Lists that are kept, some 10 kB each. */
const maxLists = 20_000;

/** Forgets lists that nobody needs, and the oldest ones beyond the limit. */
export async function forgetLists(tx: Transaction, now: Date): Promise<void> {
  const old = new Date(now.getTime() - maxAgeMs.kept);
  await sql`
    delete from registry_versions where looked_up_at < ${old} and (failed_at is null or failed_at < ${old})
      or looked_up_at <= (select looked_up_at from registry_versions order by looked_up_at desc offset ${maxLists} limit 1)`.execute(
    tx,
  );
}
