import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { EvidenceKind } from '../../shared/vulnerability-terms.js';
import type { LoadedFrom, PackageUse, SearchGap } from '../languages/language-reader.js';
import type { FoundGap } from './found-gap.js';
import type { WalkedTree } from './tree.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** A step of the way from an entry point to a package: a file of the project, or of a package, relative to its folder. */
export interface ChainLink {
  /** Null for the project's own files. */
  readonly package: { readonly ecosystem: Ecosystem; readonly name: string; readonly version: string } | null;
  readonly file: string;
  /** Where the file loads the next step; null for the last one, and where it is not known. */
  readonly line: number | null;
}

/** A package that is loaded when the project runs. */
export interface LoadedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Null where the evidence does not show it: then every version of the lock files is meant. */
  readonly version: string | null;
  /** From an entry point to the first of its files that is loaded; empty where a run shows only that it was. */
  readonly chain: readonly ChainLink[];
}

/** What shows that packages are loaded, apart from the project's own source. It only ever raises a usage. */
export interface LoadingEvidence {
  readonly kind: Exclude<EvidenceKind, 'source'>;
  readonly loaded: readonly LoadedPackage[];
  /**
   * Ecosystems whose dependencies were followed from every entry point, so that what is brought in and is not among
   * `loaded` is not loaded, apart from what the gaps hide. A run follows none.
   */
  readonly followed: readonly Ecosystem[];
  /** Places inside of dependencies that could not be followed. */
  readonly gaps: readonly (SearchGap & { readonly ecosystem: Ecosystem })[];
}

/** What the analysis knows of a tree before it asks for evidence of what is loaded. */
export interface ReadTree {
  readonly tree: WalkedTree;
  readonly lockfiles: readonly TreeLockfile[];
  readonly uses: readonly PackageUse[];
  readonly reachedFiles: ReadonlyMap<string, LoadedFrom | null>;
  readonly gaps: readonly FoundGap[];
}
