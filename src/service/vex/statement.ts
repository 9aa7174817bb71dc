import type { VexFormat, VexStatus } from '../../procedures/vex.js';

/** Which versions a document speaks of, beside a version in a package URL. */
export interface VersionClaim {
  readonly versions: readonly string[];
  /** Version range specifiers (VERS, https://github.com/package-url/vers-spec). */
  readonly ranges: readonly string[];
}

/** Something that a document speaks of: a product, or a component of one. */
export interface NamedThing {
  /** For people: what the document calls it. */
  readonly label: string;
  /** Everything that the document calls it by: names, ids, addresses. */
  readonly names: readonly string[];
  readonly purls: readonly string[];
  /** Its version, for a package URL without one. */
  readonly version: string | null;
  /** Null: the document narrows the versions no further. */
  readonly claim: VersionClaim | null;
}

/** What a document says of one vulnerability in one product, or in one component of a product. */
export interface VexStatement {
  readonly kind: 'statement';
  /** JSON Pointer (RFC 6901) of the place that names the product. */
  readonly pointer: string;
  /** The vulnerability's id and what the document says are others of the same. */
  readonly ids: readonly string[];
  readonly status: VexStatus;
  readonly product: NamedThing;
  /** Null: the statement is of the product as a whole. */
  readonly component: NamedThing | null;
  readonly justification: string | null;
  readonly detail: string | null;
}

/** A row of a document: one statement, or why it is skipped. */
export type VexRow =
  | VexStatement
  | { readonly kind: 'skipped'; readonly pointer: string; readonly reason: string }
  /** A row that makes no statement, such as a vulnerability without an analysis. */
  | { readonly kind: 'other' };

export interface VexDocument {
  readonly format: VexFormat;
  /** Serial number, @id or tracking id. */
  readonly name: string | null;
  readonly version: string | null;
  readonly author: string | null;
  readonly issuedAt: Date | null;
  readonly rows: readonly VexRow[];
}

/** Characters that are kept of a document's texts. They are somebody else's, so each has a bound. */
export const maxLengths = { id: 200, label: 300, detail: 1_000, justification: 100 } as const;

/** Ids that one statement may give its vulnerability, and names that it may give a product. */
export const maxNames = 30;
