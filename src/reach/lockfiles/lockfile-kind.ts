import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Reading } from './package-list.js';
import type { Source } from './source.js';

/** The lock files of one tool. Each folder here is one kind: its index.ts exports this, and kinds.ts lists it. */
export interface LockfileKind {
  /** File names. Of several in one folder, the first of this order is read. */
  readonly names: readonly string[];
  /** More names of the same format. Each such file lists the packages of another environment, so all of them are read. */
  readonly patterns?: readonly NamePattern[];
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

interface NamePattern {
  /** For help and errors, as `requirements-*.txt`. */
  readonly glob: string;
  /** Matches `/folder/name`, the last two parts of the path. */
  readonly matches: RegExp;
  /** Only the folder's name says what the file is: where its text is something else, that is no error. */
  readonly byFolder?: true;
}
