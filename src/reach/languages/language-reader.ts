import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { GapKind } from '../../shared/vulnerability-terms.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import type { Position } from './positions.js';
import type { SourceTree } from './source-tree.js';

/** What a file is for: production code, or something that does not run in production. */
export type Role = 'prod' | 'test' | 'config' | 'script';

/** One place where a file names a package. */
export interface PackageSite extends Position {
  /** Relative to the tree, `/` between its parts. */
  readonly file: string;
  readonly kind: 'import' | 'require' | 'dynamic' | 'reexport' | 'resolve' | 'mention';
  readonly role: Role;
  /** An entry point reaches the file. */
  readonly reached: boolean;
  readonly typeOnly: boolean;
  /** A test replaces the package here (vi.mock, jest.mock). */
  readonly mock: boolean;
  /** What follows the package's name in the specifier. */
  readonly subpath: string | null;
  /** Names of the package that are referenced through this site. A reader may read the file for them only on access. */
  readonly symbols: readonly string[];
  /** False where a namespace, a default object or a dynamic access may hide further names. */
  readonly symbolsComplete: boolean;
}

/** The details of a place that does no more than name a package. */
export const noDetails = { typeOnly: false, mock: false, subpath: null, symbols: [], symbolsComplete: false } as const;

/** A site and the package it names, as the registry spells it. */
export interface PackageUse {
  readonly ecosystem: Ecosystem;
  readonly packageName: string;
  readonly site: PackageSite;
}

/** A file where production starts, and the reason to think so. */
export interface Entry {
  readonly file: string;
  readonly why: string;
}

/**
 * A place where production code may use packages that the reader could not name. Only such places are gaps: what tests
 * import dynamically, or an import of a style sheet, hides nothing.
 */
export interface SearchGap {
  readonly kind: GapKind;
  readonly file: string;
  readonly line: number | null;
  /** What could not be followed, for people: the specifier, the expression's kind, the reason. At most 256 characters. */
  readonly detail: string;
  /** Names of the packages it could hide, as the lock files spell them; `any` where it could hide any of the ecosystem. */
  readonly hides: readonly string[] | 'any';
}

/** The place that loads a file. */
export interface LoadedFrom {
  readonly file: string;
  readonly line: number;
}

/** A package that the lock files name: what an import can resolve to. */
export type KnownPackage = Pick<LockedPackage, 'ecosystem' | 'name' | 'version'>;

/** What one language's reader finds in a tree. */
export interface LanguageFindings {
  readonly uses: readonly PackageUse[];
  readonly entries: readonly Entry[];
  readonly files: number;
  readonly bytes: number;
  readonly parseErrors: number;
  /** Files that could not be parsed, or are too large or binary, and were searched for names of packages instead. */
  readonly searched: number;
  /** Files that could not even be searched. */
  readonly skipped: number;
  /** Specifiers that name neither a file of the tree nor a known package. */
  readonly unresolved: number;
  /** Dynamic imports and requires whose target is computed. */
  readonly unknownDynamic: number;
  readonly gaps: readonly SearchGap[];
  /** Each reached file, with the place that a shortest way from an entry point takes to it; null for entry points. */
  readonly reachedFiles: ReadonlyMap<string, LoadedFrom | null>;
}

/**
 * A language plug-in: reads all files of one language (or family) in a tree. It lives in a folder of its own, as `reader.ts`,
 * and is listed in index.ts. Most languages describe themselves as a `Language` and are made by `createReader`.
 */
export interface LanguageReader {
  readonly name: string;
  /** The registry of the packages that its files can name. */
  readonly ecosystem: Ecosystem;
  /** Whether the file is one of this language's, by its path. */
  reads(path: string): boolean;
  /** What one of its files is for, by its path. A file that an entry point reaches is production code all the same. */
  roleOf(path: string): Role;
  /** @param options.entries files that production starts from; where none is given, the reader finds them */
  analyze(
    tree: SourceTree,
    known: readonly KnownPackage[],
    options: { readonly entries: readonly string[] },
  ): Promise<LanguageFindings>;
}
