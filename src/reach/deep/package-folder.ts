import { join } from 'node:path';
import { readFolder, readText } from '../analysis/text-file.js';
import { inFolder } from '../languages/tree-path.js';
import { remember } from '../remember.js';

type Kind = 'file' | 'folder';

/** Bytes; the largest files of packages that we know of are bundles of 15 MB. */
const maxFileBytes = 32 * 1024 * 1024;

/** Files that a computed specifier may mean. */
const maxMatching = 2000;

/**
 * The files of one package on the disk. A path is followed by the names of its folders only, and a symbolic link is no
 * file: so nothing outside of the folder is read.
 */
export class PackageFolder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly #folders = new Map<string, ReadonlyMap<string, Kind>>();

  constructor(path: string) {
    this.path = path;
  }

  /** What a path relative to the package is; empty for the package's folder. Null where there is none. */
  kindOf(path: string): Kind | null {
    if (path === '') return 'folder';
    const slash = path.lastIndexOf('/');
    return this.#listing(path.slice(0, Math.max(0, slash))).get(path.slice(slash + 1)) ?? null;
  }

  /** The text of a file; null where it is binary, too large or cannot be read. */
  read(path: string): string | null {
    return this.kindOf(path) === 'file' ? readText(join(this.path, path), maxFileBytes) : null;
  }

  /** Files and folders whose path is `prefix`, one name, and `suffix`, with or without an extension. */
  matching(prefix: string, suffix: string): readonly string[] {
    const slash = prefix.lastIndexOf('/');
    const folder = prefix.slice(0, Math.max(0, slash));
    const start = prefix.slice(slash + 1);
    const within = inFolder(folder, '');
    const found: string[] = [];
    for (const [name, kind] of this.#listing(folder)) {
      if (found.length >= maxMatching) break;
      if (!name.startsWith(start) || name === 'node_modules') continue;
      const ends = name.endsWith(suffix) || name.replace(/\.[^.]+$/, '').endsWith(suffix);
      if (ends) found.push(`${within}${name}`);
      else if (kind === 'folder' && suffix.startsWith('/')) found.push(`${within}${name}${suffix}`);
    }
    return found;
  }

  #listing(folder: string): ReadonlyMap<string, Kind> {
    return remember(this.#folders, folder, () => {
      const children = this.kindOf(folder) === 'folder' ? readFolder(join(this.path, folder)) : null;
      const listing = new Map<string, Kind>();
      for (const child of children ?? []) {
        if (child.isFile()) listing.set(child.name, 'file');
        else if (child.isDirectory()) listing.set(child.name, 'folder');
      }
      return listing;
    });
  }
}
