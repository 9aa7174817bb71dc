import type { SearchGap } from '../languages/language-reader.js';
import type { LockedNode } from './lock-index.js';
import type { StoredPackage } from './package-store.js';

/** A place of the tree's own code that loads a package. */
export interface Start {
  readonly file: string;
  readonly line: number | null;
  readonly name: string;
  /** What follows the name; `programs` for the programs that the package has, besides its main file. */
  readonly subpath: string | null;
  readonly programs: boolean;
  /** Files from an entry point to this one. */
  readonly depth: number;
}

/** A file of a package, and what loads it. */
export interface LoadedModule {
  readonly store: StoredPackage;
  readonly path: string;
  readonly from: LoadedModule | Start;
  /** Where `from` loads it, in a file of a package. */
  readonly line: number | null;
}

/** A package that is loaded although its files are not at hand. */
export interface UnreadPackage {
  readonly node: LockedNode;
  readonly from: LoadedModule | Start;
  readonly line: number | null;
}

/** A place that may load a package. */
export interface PossibleLoad {
  readonly from: LoadedModule | Start;
  readonly specifier: string;
  readonly line: number | null;
}

/** A place inside of a package that cannot be followed, and the packages that it could hide. */
export interface PackageGap extends Omit<SearchGap, 'hides'> {
  readonly hides: ReadonlySet<LockedNode>;
}
