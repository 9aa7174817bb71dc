import type { AttackVector, Exposure, Severity } from '../shared/vulnerability-terms.js';
import type { ClassifiedUsage } from './usage.js';

/** Where a file names the package; line and column from 1. */
export interface ImportSite {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly symbols: readonly string[];
}

/** A step of the way from an entry point to the package. */
export interface ChainStep {
  /** Null for the project's own files. */
  readonly purl: string | null;
  /** Relative to the tree, or to the package's folder. */
  readonly file: string;
  /** Where the file loads the next step; null for the last one, and where it is not known. */
  readonly line: number | null;
}

/** Layer 1: how the project uses the package. */
export interface UsageEvidence extends ClassifiedUsage {
  /** Only the first ones; `siteCount` counts them all. */
  readonly sites: readonly ImportSite[];
  readonly siteCount: number;
  /** From a direct dependency down to the package, as purls; only the first ones. */
  readonly paths: readonly (readonly string[])[];
  /** The files that load the package, from an entry point; empty where they are not known. Absent in verdicts of ep-1. */
  readonly chain?: readonly ChainStep[];
}

/** Layer 2: what is known of the vulnerability and its exploitation. Null means "not known". */
export interface ExploitEvidence {
  readonly severity: Severity | null;
  readonly cvss: { readonly version: string; readonly score: number; readonly vector: string } | null;
  readonly attackVector: AttackVector | null;
  readonly epss: {
    readonly probability: number;
    readonly percentile: number;
    readonly date: string;
    readonly model: string;
  } | null;
  readonly kev: { readonly dateAdded: string } | null;
}

/** The three layers, as they are stored with a verdict. */
export interface StoredEvidence {
  readonly versions: readonly string[];
  readonly usage: UsageEvidence;
  readonly exploit: ExploitEvidence;
  /** Layer 3, as the project's team declared it. */
  readonly exposure: Exposure;
}

/** Where the evidence comes from. It is the same for all verdicts of a project, so it is stored once. */
export interface EvidenceSources {
  /** Tool and version that made the newest usage report. */
  readonly analyzer: string;
  readonly reportedAt: Date;
  /** The day of the KEV catalogue; null where none was loaded. */
  readonly kevCatalogue: string | null;
}
