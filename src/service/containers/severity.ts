import { findingSeverityOfAdvisory } from '../../procedures/findings.js';
import type { FindingSeverity, Severity } from '../../shared/vulnerability-terms.js';
import { severityOf } from '../matching/cvss.js';

/**
 * A finding's severity: that of its CVSS score (`info` for 0.0), else the scanner's label, else medium, the middle of the
 * scale: an unknown severity never counts as harmless. The tier is chosen in the same order.
 */
export function findingSeverityOf(score: number | null, label: Severity | null): FindingSeverity {
  const known = score === null ? (label ?? 'moderate') : severityOf(score);
  return known === null ? 'info' : findingSeverityOfAdvisory[known];
}
