import type * as z from 'zod';
import type { uploadedReport } from '../../procedures/findings.js';
import type { ScannedDomain } from '../../procedures/scanner-formats.js';
import type { FindingRow } from './finding-row.js';

type ReportedColumn = 'tool' | 'identity' | 'rule_id' | 'title' | 'severity' | 'tier' | 'cve' | 'epss' | 'kev_added';

/** A finding of a report. */
export interface ReportedFinding extends Readonly<Pick<FindingRow, ReportedColumn>> {
  /** The report itself marks it as accepted. */
  readonly suppressed: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One scan of one source. */
export interface Scan {
  readonly domain: ScannedDomain;
  /** Source repository, target URL or image ref. */
  readonly source: string;
  /** Tools that ran to their end: what they no longer report is fixed. Other tools' findings are only added or updated. */
  readonly tools: readonly string[];
  readonly findings: readonly ReportedFinding[];
  /** Scans of different modes search for different things. One fixes only what a scan of its mode has reported before. */
  readonly mode: string | null;
  /** SHA-256 of the report. */
  readonly contentHash: Buffer;
  readonly startedAt: Date | null;
  /** The hosted job that this is the result of. */
  readonly serverScanJobId?: string | undefined;
}

/** What a scan changed. */
export type ScanResult = z.output<typeof uploadedReport>;
