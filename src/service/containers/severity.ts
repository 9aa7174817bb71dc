import type * as z from 'zod';
import type { findingSeverity } from '../../procedures/findings.js';
import type { Severity } from '../../shared/vulnerability-terms.js';
import { severityOf } from '../matching/cvss.js';

/** Trivy's and Grype's words. `Negligible` is Debian's and Ubuntu's; `Unknown`, and any other, is no word at all. */
const labels: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['medium', 'moderate'],
  ['low', 'low'],
  ['negligible', 'low'],
]);

export function labelOf(word: string): Severity | null {
  return labels.get(word.toLowerCase()) ?? null;
}

/**
 * A finding's severity: the band of its CVSS score (`info` for 0.0), else the scanner's label, else medium, the middle of
 * the scale: unknown never counts as harmless. The tier follows the same order.
 */
export function findingSeverityOf(score: number | null, label: Severity | null): z.output<typeof findingSeverity> {
  const known = score === null ? (label ?? 'moderate') : severityOf(score);
  if (known === null) return 'info';
  return known === 'moderate' ? 'medium' : known;
}
