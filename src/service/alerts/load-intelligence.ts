import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { Exploitation } from './alert-facts.js';
import type { PackageAdvisory } from './find-matches.js';
import { type PackageKey, packageArrays } from './tracked-packages.js';

/**
 * Advisories that count for a package: not withdrawn, and about a flaw or malware. RustSec's `unmaintained` and
 * `notice` are not vulnerabilities (package health shows the former); its `unsound` counts as one.
 */
export const advisoryCounts: RawBuilder<boolean> = sql<boolean>`(
  advisories.withdrawn is null and (advisories.informational is null or advisories.informational = 'unsound')
)`;

/** The advisories of each package, in the order of the packages. `filter` can leave out some of them. */
export async function loadAdvisories(
  tx: Transaction,
  packages: readonly PackageKey[],
  filter: RawBuilder<boolean> = sql`true`,
): Promise<PackageAdvisory[][]> {
  const { ecosystems, names } = packageArrays(packages);
  const { rows } = await sql<PackageAdvisory & { readonly place: number }>`
    select wanted.place::int as place, advisories.id, advisories.cves, advisories.published, advisories.summary, advisories.severity,
      advisories.cvss_version, advisories.cvss_score, advisories.cvss_vector, advisories.malicious, named.affected
    from unnest(${ecosystems}::text[], ${names}::text[]) with ordinality as wanted (ecosystem, package_name, place)
    join advisory_packages as named
      on named.ecosystem = wanted.ecosystem and named.package_name = wanted.package_name
    join advisories on advisories.id = named.advisory_id
    where ${advisoryCounts} and ${filter}`.execute(tx);
  const lists: PackageAdvisory[][] = packages.map(() => []);
  for (const { place, ...advisory } of rows) lists[place - 1]?.push(advisory);
  return lists;
}

/** EPSS scores and KEV entries of the CVEs. */
export async function loadExploitation(tx: Transaction, cves: readonly string[]): Promise<Exploitation> {
  if (cves.length === 0) return { epss: new Map(), kev: new Map() };
  const wanted = sql<boolean>`cve = any (${[...cves]}::text[])`;
  const epss = await tx.selectFrom('epss').selectAll().where(wanted).execute();
  const kev = await tx.selectFrom('kev').selectAll().where(wanted).execute();
  return { epss: new Map(epss.map((row) => [row.cve, row])), kev: new Map(kev.map((row) => [row.cve, row])) };
}
