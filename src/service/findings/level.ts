import { type FindingSeverity, type Severity, severities } from '../../shared/vulnerability-terms.js';

/** What scanners filter by: a severity, as Trivy's `--severity`, and whether there is a fix, as its `--ignore-unfixed`. */
export interface Level {
  /** Of the scanner's own word: 0 unknown or none, 1 low, to 4 critical. */
  readonly rank: number;
  /** Whether a version is named that fixes it. */
  readonly fixable: boolean;
  /** The package that it is of; read where a report may list all of them. */
  readonly package?: { readonly name: string; readonly version: string };
}

/** The level of a package's vulnerability in a scanner's own words. */
export function levelOf(label: Severity | null, fixedVersion: string | null): Level {
  return { rank: label === null ? 0 : severities.indexOf(label) + 1, fixable: fixedVersion !== null };
}

/** In the order of ranks from 1. */
export const rankedSeverities: readonly FindingSeverity[] = ['low', 'medium', 'high', 'critical'];

/** The level of a finding that a version does not fix. */
export function levelOfSeverity(severity: FindingSeverity): Level {
  return { rank: rankedSeverities.indexOf(severity) + 1, fixable: true };
}
