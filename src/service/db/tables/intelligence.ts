import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import type { Severity } from '../../../shared/vulnerability-terms.js';
import type { Json, JsonObject } from './columns.js';

/** Intelligence belongs to no organisation: tenants read it, only the system writes it. */
export interface AdvisoriesTable {
  id: string;
  modified: Date;
  published: Date | null;
  withdrawn: Date | null;
  summary: string;
  cves: string[];
  aliases: string[];
  severity: Severity | null;
  cvss_version: string | null;
  cvss_score: number | null;
  cvss_vector: string | null;
  malicious: boolean;
  informational: 'unmaintained' | 'unsound' | 'notice' | null;
  references: string[];
  /** SHA-256 of the facts above and the affected packages. Where it is equal, nothing is written. */
  content_hash: Buffer;
}

export interface AdvisoryPackagesTable {
  advisory_id: string;
  ecosystem: Ecosystem;
  package_name: string;
  /** `Affected`, as matching reads it. */
  affected: Json<JsonObject>;
  /** Vulnerable functions, where the advisory names them. */
  symbols: string[];
}

export interface EpssTable {
  cve: string;
  probability: number;
  percentile: number;
  /** YYYY-MM-DD. */
  scored_on: string;
  model: string;
}

export interface KevTable {
  cve: string;
  date_added: string;
  due_date: string | null;
  ransomware: boolean;
}

export interface PackageHealthTable {
  ecosystem: Ecosystem;
  package_name: string;
  deprecated: string | null;
  /** YYYY-MM-DD. */
  unmaintained_since: string | null;
  replacement: string | null;
  source: string;
}

export interface FeedsTable {
  /** `osv:<file or ecosystem>`, `epss`, `kev`. */
  name: string;
  version: string | null;
  /** When the feed says it was published. */
  published_at: Date | null;
  loaded_at: Date;
  records: number;
  /** SHA-256 of the last content that was loaded completely. */
  content_hash: Buffer | null;
  etag: string | null;
}
