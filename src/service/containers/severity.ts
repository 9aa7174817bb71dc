import { findingSeverityOfAdvisory } from '../../procedures/findings.js';
import type { FindingSeverity } from '../../shared/vulnerability-terms.js';
import { chooseCvss, severityOf } from '../matching/cvss.js';
import type { ReportedVulnerability } from '../scanners/image-scan.js';
import type { FindingDetails } from './finding-details.js';

type Rated = Pick<ReportedVulnerability, 'label' | 'vendorSeverity' | 'vendorVectors' | 'vectors'>;
type Rating = Required<Pick<FindingDetails, 'cvss_score' | 'deciding_score' | 'vendor_severity' | 'label'>>;

/**
 * Databases of language packages. They rate a vulnerability by itself and derive the word from the score. The others
 * (distributions and vendors) rate what it means for their own build of the package, and their word says that.
 */
const packageDatabases = [
  'ghsa',
  'glad',
  'gitlab',
  'osv',
  'govulndb',
  'go-vulndb',
  'rubysec',
  'ruby-advisory-db',
  'bitnami',
];

/**
 * What decides a finding's severity:
 *
 * 1. The word of a distribution or vendor, whatever NVD's score is: it knows how the package was built.
 * 2. The score (CVSS 3 or 4) that a database of language packages gives, else its word.
 * 3. Where NVD or nobody is named: the score of CVSS 3 or 4. CVSS 2 only counts before a word that is NVD's own.
 * 4. The scanner's word, a score of CVSS 2, or nothing.
 */
export function rate({ label, vendorSeverity, vendorVectors, vectors }: Rated): Rating {
  const best = chooseCvss(vectors);
  const decides = (deciding_score: number | null): Rating => ({
    cvss_score: best?.score ?? null,
    deciding_score,
    vendor_severity: vendorSeverity,
    label,
  });
  const source = vendorSeverity?.source ?? null;
  if (vendorSeverity !== null && source !== null && source !== 'nvd') {
    const own = packageDatabases.includes(source) ? chooseCvss(vendorVectors) : null;
    return decides(own === null || own.version === '2.0' ? null : own.score);
  }
  if (vendorSeverity?.severity === 'negligible') return decides(null);
  if (best?.version === '2.0' && source === null && label !== null) return decides(null);
  return decides(best?.score ?? null);
}

/**
 * A finding's severity: that of the deciding score (`info` for 0.0), else the label, else medium, the middle of the scale:
 * an unknown severity never counts as harmless. The tier is chosen in the same order.
 */
export function findingSeverityOf({
  label,
  ...scores
}: Pick<FindingDetails, 'cvss_score' | 'deciding_score' | 'label'>): FindingSeverity {
  const score = decidingScore(scores);
  const known = score === null ? (label ?? 'moderate') : severityOf(score);
  return known === null ? 'info' : findingSeverityOfAdvisory[known];
}

export function decidingScore({
  cvss_score,
  deciding_score,
}: Pick<FindingDetails, 'cvss_score' | 'deciding_score'>): number | null {
  return deciding_score === undefined ? cvss_score : deciding_score;
}
