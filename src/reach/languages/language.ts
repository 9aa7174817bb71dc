import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Entry, PackageSite, Role, SourceTree } from '../analysis/language.js';

/** A place in a file that names something outside of the file. */
export interface Reference {
  /** As the language spells it: `a.b.c`, `github.com/a/b`, `crate::path`. */
  readonly target: string;
  readonly line: number;
  readonly column: number;
  readonly kind: PackageSite['kind'];
  readonly typeOnly?: boolean;
  /** Only where it differs from the file's. */
  readonly role?: Role;
  /** What is taken out of the target, where each may be a module or a package of its own (`from a import b`). */
  readonly members?: readonly string[];
  readonly symbols: readonly string[];
  readonly symbolsComplete: boolean;
}

/** What one file says, without its text. */
export interface ParsedFile {
  readonly references: readonly Reference[];
  /** Imports whose target is computed. */
  readonly unknownDynamic: number;
  readonly isBroken: boolean;
  /** Why production starts here, or null. */
  readonly entry: string | null;
}

/** What a reference means. Both may hold: a folder of the project may have a package's name. */
export interface Target {
  /** Files of the tree. */
  readonly files: readonly string[];
  /** Packages by the name that the lock file gives them, with what of the target follows the package's name. */
  readonly packages: readonly { readonly name: string; readonly subpath: string | null }[];
  /** Part of the language or of its standard library, or of this very file. */
  readonly isOwn: boolean;
}

/** How the references of one tree are followed. */
export interface Connections {
  target(file: string, reference: Reference): Target;
  /** Files that are one unit with this one, so that production that reaches it reaches them. */
  alongside(file: string): readonly string[];
  /** Further entries, told by manifests. */
  readonly entries: readonly Entry[];
}

/** What differs between languages. */
export interface Language<Parsed extends ParsedFile> {
  readonly name: string;
  readonly ecosystem: Ecosystem;
  reads(path: string): boolean;
  roleOf(path: string): Role;
  /** Starts on a tree whose lock files name these packages. */
  begin(packageNames: readonly string[]): Analysis<Parsed>;
}

/** One language's work on one tree. */
export interface Analysis<Parsed extends ParsedFile> {
  parse(path: string, text: string): Parsed;
  connect(tree: SourceTree, files: ReadonlyMap<string, Parsed>): Promise<Connections>;
}
