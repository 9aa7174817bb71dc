import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { TextPiece } from './text-pieces.js';

/** What a file is for: production code, or something that does not run in production. */
export type Role = 'prod' | 'test' | 'config' | 'script';

/** One place where a file names a package. */
export interface PackageSite {
  /** Relative to the tree, `/` between its parts. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly kind: 'import' | 'require' | 'dynamic' | 'reexport' | 'resolve' | 'mention';
  readonly role: Role;
  /** An entry point reaches the file. */
  readonly reached: boolean;
  readonly typeOnly: boolean;
  /** A test replaces the package here (vi.mock, jest.mock). */
  readonly mock: boolean;
  /** What follows the package's name in the specifier. */
  readonly subpath: string | null;
  /** Names of the package that are referenced through this site; the file may be read for them when they are asked for. */
  readonly symbols: readonly string[];
  /** False where a namespace, a default object or a dynamic access may hide further names. */
  readonly symbolsComplete: boolean;
}

/** A site and the package it names, as the registry spells it. */
export interface PackageUse {
  readonly ecosystem: Ecosystem;
  readonly packageName: string;
  readonly site: PackageSite;
}

/** Where production starts, and why it is believed to. */
export interface Entry {
  readonly file: string;
  readonly why: string;
}

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
}

/** A file of the tree: its path and size are known, its text is read on demand and not kept. */
export interface TreeFile {
  /** Relative to the tree, `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
}

/** A source tree, walked once; nothing outside of it is ever read, and symbolic links are not followed out of it. */
export interface SourceTree {
  /** Absolute. */
  readonly root: string;
  readonly files: readonly TreeFile[];
  /** The text of a file, or null where it is binary, over the size limit or cannot be read. */
  read(path: string): string | null;
  /** Shows all of a file in pieces, whatever it holds; false where it was not seen to its end (see `readPieces`). */
  search(path: string, take: (piece: TextPiece) => boolean): boolean;
}

/** A package that the lock files name: what an import can resolve to. */
export interface KnownPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Reads all files of one language (or family) in a tree. */
export interface LanguageReader {
  readonly name: string;
  /** Of the packages that its files can name. */
  readonly ecosystem: Ecosystem;
  /** Whether the file is one of this language's, by its path. */
  reads(path: string): boolean;
  analyse(
    tree: SourceTree,
    known: readonly KnownPackage[],
    options: { readonly entries: readonly string[] },
  ): Promise<LanguageFindings>;
}
