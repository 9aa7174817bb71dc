import type { Completeness, ComponentHash, Licence } from '../../db/tables/projects.js';
import type { Scope } from '../stack-package.js';

/** Components of one document, nested ones included. */
export const maxComponents = 200_000;

/** Dependencies of one document. */
export const maxEdges = 1_000_000;

/** One component of an SBOM, whatever its format. */
export interface SbomComponent {
  /** JSON Pointer (RFC 6901) into the document. */
  readonly pointer: string;
  /** The name that edges use; null where the document gives none. */
  readonly ref: string | null;
  /** A type of component in CycloneDX's words. */
  readonly kind: string;
  readonly group: string | null;
  readonly name: string;
  readonly version: string | null;
  /** Package URLs, the first usable one counts. */
  readonly purls: readonly string[];
  readonly scope: Scope;
  /** The maintainers' deprecation notice. */
  readonly deprecated: string | null;
  readonly licences: readonly Licence[];
  readonly hashes: readonly ComponentHash[];
  readonly supplier: string | null;
  /** What it was made from by changing it. */
  readonly ancestors: readonly SbomComponent[];
}

/** Edges between refs of a document. Refs may name nothing, themselves, or a ring. */
export interface SbomGraph {
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
  /** What is a part of what. Weaker: an image contains all of its packages, also those that others bring in. */
  readonly contains: ReadonlyMap<string, readonly string[]>;
  /** Refs whose dependencies are said to be all there, or not to be; no word of the others. */
  readonly known: ReadonlyMap<string, NonNullable<Completeness>>;
  /**
   * Whether a dependency of the described component is by the format's definition a direct one. In SPDX it is not: GitHub
   * lists every package of the project as one.
   */
  readonly listsDirect: boolean;
}

/** A row of the document that cannot be read. */
export interface SkippedRow {
  readonly pointer: string;
  readonly reason: string;
}

/** A parsed SBOM: the component it describes, those it lists, and how they depend on each other. */
export interface Sbom {
  /** As `CycloneDX 1.6`. */
  readonly format: string;
  readonly subject: {
    readonly name: string | null;
    readonly refs: readonly string[];
    readonly component: SbomComponent | null;
  };
  readonly components: readonly SbomComponent[];
  readonly skipped: readonly SkippedRow[];
  readonly graph: SbomGraph;
  /** CycloneDX `vulnerabilities`, not yet parsed. */
  readonly vulnerabilities: readonly unknown[];
}

/** Adds `to` to the list of `from`. */
export function addEdge(edges: Map<string, string[]>, from: string, to: string): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, [to]);
  else known.push(to);
}
