import { type Severity, severities } from '../../shared/vulnerability-terms.js';

/** What filters look at that a report does not state: Trivy's `--severity` and `--ignore-unfixed`. */
export interface Level {
  /** Of the scanner's own word: 0 unknown, 1 low, to 4 critical. */
  readonly rank: number;
  /** Whether a version is named that fixes it. */
  readonly fixable: boolean;
}

/** The level of a finding in a scanner's own words. */
export function levelOf(label: Severity | null, fixedVersion: string | null): Level {
  return { rank: label === null ? 0 : severities.indexOf(label) + 1, fixable: fixedVersion !== null };
}
