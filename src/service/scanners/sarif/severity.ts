import type { FindingRow } from '../../findings/finding-row.js';

type Severity = FindingRow['severity'];

/** SARIF 2.1.0, 3.27.9 and 3.27.10. */
export type Kind = 'pass' | 'open' | 'informational' | 'notApplicable' | 'review' | 'fail';
export type Level = 'none' | 'note' | 'warning' | 'error';

const ofLevel = { error: 'high', warning: 'medium', note: 'low', none: 'info' } as const satisfies Record<
  Level,
  Severity
>;

/**
 * Severity of a finding in one's own code, and the tier that it has:
 *
 * | severity | from `security-severity` | else from `level` | tier   |
 * | -------- | ------------------------ | ----------------- | ------ |
 * | critical | 9.0 to 10                |                   | RED    |
 * | high     | 7.0 to 8.9               | error             | RED    |
 * | medium   | 4.0 to 6.9               | warning           | YELLOW |
 * | low      | above 0 to 3.9           | note              | GREEN  |
 * | info     | 0                        | none              | GREEN  |
 *
 * `security-severity` is GitHub's property, on CVSS's scale. A dependency's tier also asks how likely an exploit is
 * (EPSS, KEV); code of one's own is known to nobody who could predict that, but it is at a known place and in one's own
 * hands to mend. So severity alone decides, and high is RED.
 */
export const codeTiers = {
  critical: 'RED',
  high: 'RED',
  medium: 'YELLOW',
  low: 'GREEN',
  info: 'GREEN',
} as const satisfies Record<Severity, FindingRow['tier']>;

/** What did not fail (`open`, `review`, `informational`) is no weakness by itself, whatever its rule says. */
export function codeSeverity(kind: Kind, securitySeverity: number | null, level: Level): Severity {
  if (kind !== 'fail') return 'info';
  if (securitySeverity === null) return ofLevel[level];
  if (securitySeverity >= 9) return 'critical';
  if (securitySeverity >= 7) return 'high';
  if (securitySeverity >= 4) return 'medium';
  return securitySeverity > 0 ? 'low' : 'info';
}
