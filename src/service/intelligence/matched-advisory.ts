import { detailLimits } from '../../procedures/alert-details.js';
import { clip } from '../../shared/text/cut.js';
import { tiers } from '../../shared/vulnerability-terms.js';
import { cvssOf, epssOf, kevOf } from '../alerts/alert-row.js';
import { tierOf } from '../matching/tier.js';
import type { PackageAdvisory } from './package-advisories.js';

/** An advisory as `check_package` names it. */
export function toMatched(advisory: PackageAdvisory) {
  const { id, cves, summary, severity, malicious } = advisory;
  const kev = kevOf(advisory);
  return {
    id,
    cves,
    title: clip(summary === '' ? id : summary, detailLimits.title),
    tier: tierOf({ kev: kev !== null, malicious, cvss: advisory.cvss_score, severity, epss: advisory.epss }),
    severity,
    cvss: cvssOf(advisory),
    epss: epssOf(advisory),
    kev,
    malicious,
    url: advisoryPage(id) ?? advisory.reference,
  };
}

export type MatchedAdvisory = ReturnType<typeof toMatched>;

/** Most urgent first: known exploited, then by tier, EPSS and CVSS (unknown after known), then by id. */
export function worstFirst(a: MatchedAdvisory, b: MatchedAdvisory): number {
  return (
    Number(b.kev !== null) - Number(a.kev !== null) ||
    tiers.indexOf(a.tier) - tiers.indexOf(b.tier) ||
    (b.epss?.probability ?? -1) - (a.epss?.probability ?? -1) ||
    (b.cvss?.score ?? -1) - (a.cvss?.score ?? -1) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** The web pages of each database's advisories, by the prefix of their ids. */
const pages: ReadonlyArray<readonly [prefix: string, page: string]> = [
  ['GHSA-', 'https://github.com/advisories/'],
  ['GO-', 'https://pkg.go.dev/vuln/'],
  ['RUSTSEC-', 'https://rustsec.org/advisories/'],
  ['PYSEC-', 'https://osv.dev/vulnerability/'],
  ['MAL-', 'https://osv.dev/vulnerability/'],
];

/** The web page of an advisory in its database; null for a database whose pages we do not know. */
export function advisoryPage(id: string): string | null {
  const page = pages.find(([prefix]) => id.startsWith(prefix));
  return page === undefined ? null : `${page[1]}${encodeURIComponent(id)}`;
}
