import type { ScannedDomain } from '../../procedures/scanner-formats.js';
import type { SiteScan } from './app-scan.js';
import type { CodeScan } from './code-scan.js';
import type { ImageScan } from './image-scan.js';
import type { Intake } from './intake.js';

/** A report as it was uploaded: a JSON object, or XML as text. */
export type Report = string | Readonly<Record<string, unknown>>;

/** What is read from a report of each domain. */
export interface Scans {
  readonly code: CodeScan;
  /** One for each site that the report names. */
  readonly running_app: readonly SiteScan[];
  /** One for each image that the report names; one without a name where it names none. */
  readonly containers: readonly ImageScan[];
}

/** A report format. `index.ts` lists all of them. */
export interface Scanner<Domain extends ScannedDomain = ScannedDomain> {
  readonly domain: Domain;
  /** What a report of this format has and one of another format has not, as an error names it. */
  readonly mark: string;
  /** Whether a report has the mark. */
  readonly detect: (report: Report) => boolean;
  /**
   * Reads a report, and counts its rows. Rejects with the place and the expectation what is not of this format, and a report
   * of which not one row can be read.
   */
  readonly read: (report: Report, intake: Intake) => Promise<Scans[Domain]>;
}

/** Whether a report is a JSON object with this key. */
export function hasKey(report: Report, key: string): boolean {
  return typeof report === 'object' && Object.hasOwn(report, key);
}
