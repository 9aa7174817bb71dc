import type * as z from 'zod';
import type { uploadedReport } from '../../procedures/findings.js';
import type { ScannedDomain } from '../../procedures/scanner-formats.js';
import type { Transaction } from '../db/database.js';
import type { Filter } from './filter.js';
import type { FindingRow } from './finding-row.js';

type ReportedColumn = 'tool' | 'identity' | 'rule_id' | 'title' | 'severity' | 'tier' | 'cve' | 'epss' | 'kev_added';

/** Who looks, and within which limits: each of the scope's words means that less was looked at. */
export interface Seer {
  readonly tool: string;
  /** Short words, sorted. Empty where the report names no limits. */
  readonly scope: readonly string[];
}

/** What a tool has searched to the end. Only such a search shows that a finding is gone. */
export interface Searched extends Seer {
  /** As in `ReportedFinding.part`; null for everything in the source. */
  readonly parts: readonly string[] | null;
}

/** A finding of a report. */
export interface ReportedFinding extends Readonly<Pick<FindingRow, ReportedColumn>> {
  readonly seer: Seer;
  /** The part of the source that the finding is in, where a scan may leave out parts. */
  readonly part?: string;
  /** Identities under which other reports, or earlier versions, may have kept it. */
  readonly otherIdentities?: readonly Buffer[];
  /** The report itself marks it as accepted. */
  readonly suppressed: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What tools say of one finding that several of them see. */
export interface Joint {
  readonly stored: readonly StoredFacts[];
  readonly fresh: ReportedFinding | null;
  /** Tools that see it now. */
  readonly tools: readonly string[];
}

export type StoredFacts = Readonly<Pick<FindingRow, 'rule_id' | 'title' | 'details' | 'reports' | 'sightings'>>;

type JointColumn = 'rule_id' | 'title' | 'severity' | 'tier' | 'cve' | 'epss' | 'kev_added' | 'details' | 'reports';
export type JointFacts = Readonly<Pick<FindingRow, JointColumn>>;

/** One scan of one source. */
export interface Scan {
  readonly domain: ScannedDomain;
  /** Source repository, target URL or image ref. */
  readonly source: string;
  /** What was searched to the end: what it no longer reports is gone for it. Other findings are only added or updated. */
  readonly searched: readonly Searched[];
  readonly findings: readonly ReportedFinding[];
  /** Scans of different modes search for different things. One fixes only what a scan of its mode has reported before. */
  readonly mode: string | null;
  /** SHA-256 of the report. */
  readonly contentHash: Buffer;
  readonly startedAt: Date | null;
  /** When the report was made; null where it does not say. */
  readonly reportedAt: Date | null;
  /** Of tools whose report may lack what is there, at most one for each. */
  readonly filters?: readonly Filter[];
  /** The hosted job that this is the result of. */
  readonly serverScanJobId?: string | undefined;
  /** Where several tools may see one finding: its facts out of theirs, whichever reported last. In the order of the joints. */
  readonly join?: (tx: Transaction, joints: readonly Joint[]) => Promise<readonly JointFacts[]>;
}

/** What a scan changed. */
export type ScanResult = z.output<typeof uploadedReport>;
