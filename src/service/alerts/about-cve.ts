import { sql } from 'kysely';

/**
 * The condition that an alert is about a CVE. The alert of an advisory with several CVEs has one of them as its id. So
 * the ids that such an alert can have are looked up first, by text equality: it is leakproof, which row-level security
 * needs to use an index, and array containment is not. The alert's list of CVEs then decides.
 */
export function isAboutCve(cve: string) {
  return sql<boolean>`(
    alerts.vulnerability_id = any (array(
      select unnest(advisories.cves) from advisories where advisories.cves @> array[${cve}]::text[]
      union all select ${cve}::text
    )) and alerts.cves @> array[${cve}]::text[]
  )`;
}
