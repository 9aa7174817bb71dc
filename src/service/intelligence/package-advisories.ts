import { sql } from 'kysely';
import type { AlertFacts, AlertIdentity } from '../alerts/alert-facts.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import type { Affected } from '../matching/affected.js';

type SharedFacts = Omit<
  AlertFacts,
  keyof AlertIdentity | 'name' | 'advisory_ids' | 'title' | 'versions' | 'safe_version' | 'tier'
>;

/** An advisory's facts about one package, with the EPSS score and KEV entry of its CVEs. */
export interface PackageAdvisory extends SharedFacts {
  readonly id: string;
  readonly summary: string;
  /** The first web address that it lists. */
  readonly reference: string | null;
  readonly affected: Affected;
}

/**
 * The advisories of a package about a flaw or malware that are not withdrawn; RustSec's `unmaintained` and `notice` are left
 * out. Of several CVEs, the highest EPSS and the earliest KEV entry count, as in alerts.
 */
export async function advisoriesOf(
  tx: Transaction,
  { ecosystem, package_name }: PackageKey,
): Promise<PackageAdvisory[]> {
  const { rows } = await sql<PackageAdvisory>`
    select advisories.id, cves, summary, severity, cvss_version, cvss_score, cvss_vector, malicious,
      "references"[1] as reference, named.affected,
      score.probability as epss, score.percentile as epss_percentile, score.scored_on as epss_date,
      listed.date_added as kev_added, listed.due_date as kev_due, listed.ransomware as kev_ransomware
    from advisory_packages as named
    join advisories on advisories.id = named.advisory_id
    left join lateral (
      select probability, percentile, scored_on from epss
      where cve = any(advisories.cves) order by probability desc, cve limit 1
    ) as score on true
    left join lateral (
      select (array_agg(date_added order by date_added, cve))[1] as date_added,
        (array_agg(due_date order by date_added, cve))[1] as due_date, bool_or(ransomware) as ransomware
      from kev where cve = any(advisories.cves)
    ) as listed on true
    where named.ecosystem = ${ecosystem} and named.package_name = ${package_name}
      and withdrawn is null and (informational is null or informational = 'unsound')`.execute(tx);
  return rows;
}
