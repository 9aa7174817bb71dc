import type { Severity, Tier } from '../../shared/vulnerability-terms.js';

/** What is known about an advisory that affects a package; null means unknown. */
export interface TierFacts {
  /** At least one of its CVEs is in CISA's catalogue of known exploited vulnerabilities. */
  kev: boolean;
  /** The package version is malware. */
  malicious: boolean;
  /** Base score, 0 to 10. */
  cvss: number | null;
  /** The advisory's own label. */
  severity: Severity | null;
  /** Probability of exploitation in the next 30 days, 0 to 1 (FIRST). */
  epss: number | null;
}

/** The lower end of each label's CVSS band, used where an advisory has a label and no vector. */
const labelScores: Record<Severity, number> = { critical: 9, high: 7, moderate: 4, low: 0.1 };

/** For an advisory without score and label: the middle of the scale. Unknown never counts as zero. */
const unknownScore = 5;

/** For an advisory without EPSS: the same as in `ep-1` (L = 1/3 is an EPSS of 0.01). Unknown never counts as zero. */
const unknownEpss = 0.01;

/**
 * RED: known exploited, malware, CVSS of 9 or more, or of 7 or more with an EPSS of 0.1 or more.
 * YELLOW: CVSS of 7 or more, or of 4 or more with an EPSS of 0.01 or more. GREEN: the rest.
 */
export function tierOf({ kev, malicious, cvss, severity, epss }: TierFacts): Tier {
  const score = cvss ?? (severity === null ? unknownScore : labelScores[severity]);
  const likelihood = epss ?? unknownEpss;
  if (kev || malicious || score >= 9 || (score >= 7 && likelihood >= 0.1)) return 'RED';
  return score >= 7 || (score >= 4 && likelihood >= 0.01) ? 'YELLOW' : 'GREEN';
}
