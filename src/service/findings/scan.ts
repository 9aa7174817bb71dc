import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import type { FindingDomain } from '../db/tables/findings.js';
import type { ProjectKey } from '../projects/find-project.js';

type FindingColumns = Schema['findings'];

/** A finding as a report tells it. */
export interface ReportedFinding {
  readonly tool: FindingColumns['tool'];
  /** SHA-256 of what makes it the same one in the next scan. */
  readonly identity: Buffer;
  readonly ruleId: string;
  readonly title: string;
  readonly severity: FindingColumns['severity'];
  readonly tier: FindingColumns['tier'];
  /** The report itself accepts it. */
  readonly suppressed: boolean;
  readonly cve: string | null;
  readonly epss: number | null;
  readonly kevAdded: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One scan of one source: what it found, and by which tools. */
export interface Scan {
  readonly domain: FindingDomain;
  /** Source repository, target URL or image ref. */
  readonly source: string;
  /** Tools whose findings of the source are all in `findings`: what they no longer report is fixed. Others fix nothing. */
  readonly tools: readonly string[];
  readonly findings: readonly ReportedFinding[];
  /** Scans of different modes look for different things: one fixes what a scan of its mode has told before. */
  readonly mode: string | null;
  /** SHA-256 of the report. */
  readonly contentHash: Buffer;
  readonly startedAt: Date | null;
  /** The hosted job that this is the result of. */
  readonly serverScanJobId?: string;
}

export interface ScanResult {
  readonly scan_job_id: string;
  readonly duplicate: boolean;
  readonly findings: {
    readonly total: number;
    readonly new: number;
    readonly reopened: number;
    readonly fixed: number;
    readonly unchanged: number;
    readonly suppressed: number;
  };
  readonly tiers: { readonly red: number; readonly yellow: number; readonly green: number };
}

/** Applies a scan, as `applyScan` does. */
export type ApplyScan = (tx: Transaction, project: ProjectKey, scan: Scan, now: Date) => Promise<ScanResult>;
