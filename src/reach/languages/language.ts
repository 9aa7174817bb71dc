import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Entry, PackageSite, Role, SearchGap } from './language-reader.js';
import type { Position } from './positions.js';
import type { SourceTree } from './source-tree.js';

/** A place in a file that names something outside of the file. It has no symbols, and false for the rest, by default. */
export interface Reference extends Position, Partial<Pick<PackageSite, 'typeOnly' | 'symbols' | 'symbolsComplete'>> {
  /** As the language spells it: `a.b.c`, `github.com/a/b`, `crate::path`. */
  readonly target: string;
  readonly kind: PackageSite['kind'];
  /** Only where it differs from the file's. */
  readonly role?: Role;
  /** What is taken out of the target, where each may be a module or a package itself (`from a import b`). */
  readonly members?: readonly string[];
}

/** A use that a place hides: all that a gap says but its place. */
export type HiddenUse = Pick<SearchGap, 'kind' | 'detail' | 'hides'>;

/** A gap of the file that is parsed. */
export interface FileGap extends HiddenUse {
  readonly line: number | null;
}

/** What is kept of one file: its text is not. */
export interface ParsedFile {
  readonly references: readonly Reference[];
  /** Imports whose target is computed; 0 by default. */
  readonly unknownDynamic?: number;
  /**
   * Places that hide uses, whatever the role of the file: `createReader` keeps those of production. Where it is absent,
   * computed imports hide any package of the ecosystem; where it is given, it says all that they hide.
   */
  readonly gaps?: readonly FileGap[];
  readonly isBroken: boolean;
  /** Why production starts here, or null. */
  readonly entry: string | null;
}

/** What a reference means. It may name files and packages at once: a folder of the project may have a package's name. */
export interface Target {
  /** Files of the tree. */
  readonly files: readonly string[];
  /** Packages as the lock file names them, with the part of the target behind the package's name. */
  readonly packages: readonly { readonly name: string; readonly subpath: string | null }[];
  /** It may mean the language's standard library or the project, so that it is not unresolved where nothing is found. */
  readonly needsNoPackage: boolean;
  /**
   * What is hidden where neither a file nor a package is found: null for nothing, and for a module of the project that is not
   * in the tree an `unresolved_import`. By default, the packages whose names resemble a target that needs a package.
   */
  readonly hidden?: HiddenUse | null;
  /** What is hidden beside the files that are found: a member of a package may be a module that is not in the tree. */
  readonly hiddenBeside?: HiddenUse | null;
}

/** A place in a file that is no source, and the package it names as the lock files spell it. */
export interface Mention extends Position {
  readonly packageName: string;
  readonly file: string;
  readonly role: Role;
  /** What the file says loads the package whenever the application runs: it is no guess. */
  readonly isCertain?: true;
}

/** How the files of one tree lead to each other and to packages. */
export interface Connections {
  target(file: string, reference: Reference): Target;
  /** Files that run whenever this file does, without an import (a Go package, a Rails application). */
  sameUnit?(file: string): readonly string[];
  /**
   * Whether a manifest at or above the file lists the package for production. Then a folder's name alone (`docs/`, `tools/`)
   * does not make its use tooling.
   */
  isForProduction?(file: string, packageName: string): boolean;
  /** Entries that manifests name. */
  readonly entries?: readonly Entry[];
  /** Packages that other files than source name: what a container starts, what a setting loads. */
  readonly mentions?: readonly Mention[];
  /** Gaps of production that are in no parsed file: a setting that names what is loaded, a manifest that cannot be read. */
  readonly gaps?: readonly SearchGap[];
}

/** Everything that `createReader` needs to know of a language. */
export interface Language<Parsed extends ParsedFile> {
  readonly name: string;
  readonly ecosystem: Ecosystem;
  reads(path: string): boolean;
  /** Whether its content may make a file one of this language: an executable without extension. See `LanguageAnalysis.parse`. */
  mayRead?(path: string): boolean;
  roleOf(path: string): Role;
  /** Prepares for a tree whose lock files name these packages. */
  begin(packageNames: readonly string[]): LanguageAnalysis<Parsed>;
}

/** One language's work on one tree. */
export interface LanguageAnalysis<Parsed extends ParsedFile> {
  /** Null for a file of another language, among those that only `mayRead` accepts. */
  parse(path: string, text: string): Parsed | null;
  connect(tree: SourceTree, files: ReadonlyMap<string, Parsed>): Promise<Connections>;
}
