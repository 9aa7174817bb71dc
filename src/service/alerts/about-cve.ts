import { sql } from 'kysely';

/**
 * The condition that an alert is about a CVE. An advisory with several CVEs has its alert under one of them, so the ids
 * that such an alert can have come first, by an index that row-level security allows (text equality is leakproof, array
 * containment is not); the alert's own list decides.
 */
export function isAboutCve(cve: string) {
  return sql<boolean>`(
    alerts.vulnerability_id = any (array(
      select unnest(advisories.cves) from advisories where advisories.cves @> array[${cve}]::text[]
      union all select ${cve}::text
    )) and alerts.cves @> array[${cve}]::text[]
  )`;
}
