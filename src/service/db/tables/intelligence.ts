import type { ColumnType, Generated } from 'kysely';
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
  /** As `CWE-79`. Empty for those loaded before this was kept. */
  cwes: Generated<string[]>;
  references: string[];
  /** Of each reference: see `referenceKind`. Empty for those loaded before this was kept. */
  reference_kinds: Generated<string[]>;
  /** Its own words beyond the summary, cut. */
  details: string | null;
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

/** Vulnerable functions that a feed names for an advisory, besides those of the advisory itself. */
export interface SymbolRecordsTable {
  /** The record's own id, of an advisory or a CVE. That advisory need not be stored. */
  record_id: string;
  ecosystem: Ecosystem;
  package_name: string;
  aliases: string[];
  /** As in `advisory_packages`. */
  symbols: string[];
  /** False where they can only raise a verdict: they may be internal, or not all there are. */
  can_exclude: boolean;
  /** The feed that the record was in last. */
  feed: string;
  /** SHA-256 of the whole record, the same in each row of it. */
  content_hash: Buffer;
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
  /** `osv:<file or ecosystem>`, `epss`, `kev`, `symbols:<file>`. */
  name: string;
  version: string | null;
  /** When the feed says it was published. */
  published_at: Date | null;
  loaded_at: Date;
  records: number;
  /** SHA-256 of the last content that was loaded completely. */
  content_hash: Buffer | null;
  etag: string | null;
  /** The ecosystems whose advisories it has completely. */
  covers: Generated<Ecosystem[]>;
  /** The ecosystems that any of its records name. */
  named: Generated<Ecosystem[]>;
  /** Records of the last load that could not be read; `unread_records` keeps the first of them. */
  unread: Generated<number>;
}

/** A record of a feed that could not be read, and so may say anything about the packages that it names. */
export interface UnreadRecordsTable {
  feed: string;
  /** Its order in the feed, from 0. */
  place: number;
  /** `line 12`, `entry GHSA-….json` or `record 3`. */
  at: string;
  field: string;
  problem: string;
  /** As `packageKey` writes them. Null where they cannot be read: it may be about any package. */
  packages: string[] | null;
}

/** What a package registry answered. */
export interface RegistryLookupsTable {
  ecosystem: Ecosystem;
  /** As it was asked for. */
  package_name: string;
  version: string;
  /** The most that it knows: this version, the package only, or neither. */
  found: 'version' | 'package' | 'nothing';
  looked_up_at: Date;
}

/** All versions of a package, as its registry lists them; none where it has no such package. See `Listing` in `registries/listing.ts`. */
export interface RegistryVersionsTable {
  ecosystem: Ecosystem;
  package_name: string;
  versions: string[];
  yanked: Generated<string[]>;
  latest: string | null;
  /** JSON of `registries/release-runs.ts`, in the order of `versions`; null where the registry's list says nothing of releases. */
  releases: ColumnType<string | null, string | null | undefined, string | null>;
  /** The beginning of Unix time where the registry has never answered. */
  looked_up_at: Date;
  /** When it last failed to answer; null where it has answered since. */
  failed_at: Date | null;
}
