import type { Role } from '../../language-reader.js';

/** A package that a text names outside of imports. */
export interface Mention {
  readonly packageName: string;
  readonly subpath: string | null;
  readonly offset: number;
  readonly role: Role;
  /** The text by which the package is certainly loaded, unless a file of the project has that name. */
  readonly loadedAs?: string;
  /** The script of package.json that runs the package's program. */
  readonly runBy?: string;
}
