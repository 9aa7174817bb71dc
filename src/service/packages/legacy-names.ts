import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { type NamedPackage, readCoordinate } from './coordinate.js';

/**
 * The npm names in lower case that callers give by package URL. Tools write such URLs in lower case, so `pkg:npm/haraka` can
 * stand for the old package `Haraka`. A name that is given as a name means itself. So does one with capitals.
 */
export function foldedNames(given: Iterable<NamedPackage>): Set<string> {
  const folded = new Set<string>();
  const exact = new Set<string>();
  for (const each of given) {
    const read = readCoordinate(each);
    if ('reason' in read || read.ecosystem !== 'npm') continue;
    if (each.purl !== undefined && read.name === read.name.toLowerCase()) folded.add(read.name);
    else exact.add(read.name);
  }
  for (const name of exact) folded.delete(name);
  return folded;
}

/**
 * The spelling with capitals of those folded names that stand for an old npm package: the name in lower case is known
 * nowhere, and exactly one spelling of it is known to advisories. Where both exist, as with `JSONStream` and `jsonstream`, the
 * name in lower case means the package in lower case.
 */
export async function legacyNames(tx: Transaction, folded: ReadonlySet<string>): Promise<Map<string, string>> {
  if (folded.size === 0) return new Map();
  const { rows } = await sql<{ readonly folded: string; readonly name: string }>`
    select lower(package_name) as folded, min(package_name) as name from advisory_packages
    where ecosystem = 'npm' and package_name <> lower(package_name) and lower(package_name) = any (${[...folded]}::text[])
      and not exists (
        select from advisory_packages as same
        where same.ecosystem = 'npm' and same.package_name = lower(advisory_packages.package_name)
      )
      and not exists (
        select from package_health as same
        where same.ecosystem = 'npm' and same.package_name = lower(advisory_packages.package_name)
      )
    group by lower(package_name)
    having count(distinct package_name) = 1`.execute(tx);
  return new Map(rows.map((row) => [row.folded, row.name]));
}
