import type { FindingSeverity } from '../../../shared/vulnerability-terms.js';
import type { FindingRow } from '../../findings/finding-row.js';

/** ZAP's names of confidence, by code. */
export const confidences = ['False Positive', 'Low', 'Medium', 'High', 'Confirmed'] as const;

/** By ZAP's risk code. */
export const severities = ['info', 'low', 'medium', 'high'] as const satisfies readonly FindingSeverity[];

/** ZAP's code of an alert that was looked at and is none: the report itself accepts it. */
export const falsePositive = 0;

/** ZAP's code of medium confidence. */
const mediumConfidence = 2;

/**
 * Severity and tier of an alert of ZAP:
 *
 * | risk          | confidence       | severity | tier   |
 * | ------------- | ---------------- | -------- | ------ |
 * | High          | Medium or better | high     | RED    |
 * | High          | Low              | high     | YELLOW |
 * | Medium        | any              | medium   | YELLOW |
 * | Low           | any              | low      | GREEN  |
 * | Informational | any              | info     | GREEN  |
 *
 * ZAP has no "critical". A high risk was shown on the running application, from outside. That is RED, unless ZAP itself
 * doubts it. Confidence "False Positive" suppresses the alert; its tier is then that of confidence Low.
 */
export function appTier(severity: FindingSeverity, confidence: number): FindingRow['tier'] {
  if (severity === 'high' || severity === 'critical') return confidence >= mediumConfidence ? 'RED' : 'YELLOW';
  return severity === 'medium' ? 'YELLOW' : 'GREEN';
}
