import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Reading } from './package-list.js';
import type { Source } from './source.js';

/** The lock files of one tool. Each folder here is one kind: its index.ts exports this, and kinds.ts lists it. */
export interface LockfileKind {
  /** File names. Of several in one folder, the first of this order is read. */
  readonly names: readonly string[];
  readonly ecosystem: Ecosystem;
  /** The tool that writes the file; for npm's ecosystem spelled as in package.json's `packageManager`. */
  readonly tool: string;
  /**
   * Reads the packages of a lock file. It loads its parser when it is called: `reach --help` needs the names alone.
   *
   * @throws LockfileError where the text is not what the file's name says
   */
  readonly read: (source: Source) => Promise<Reading>;
}
