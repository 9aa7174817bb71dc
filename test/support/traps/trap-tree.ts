import type { Usage } from '../../../src/shared/vulnerability-terms.js';

/** A small application that a search can misread, and what is true of its packages. */
export interface TrapTree {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Packages that production uses or may use: never below `transitive_only`. */
  readonly used: readonly string[];
  /** Packages whose class is sure. */
  readonly exactly?: Readonly<Record<string, Usage>>;
}
