import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceTree } from '../languages/source-tree.js';
import { FolderWalk, type KeptModule } from './folder-walk.js';
import { readText } from './text-file.js';
import { readPieces } from './text-pieces.js';

/** Limits of a walk. */
const defaultLimits = {
  /** The walk ends after so many files; the tree is then marked as truncated. */
  maxFiles: 200_000,
  /**
   * A larger file is listed and can be searched, but cannot be read. Such files are bundles or data; one hand-written source
   * that we know of is larger (3 MB, TypeScript).
   */
  maxFileBytes: 2 * 1024 * 1024,
  /** A larger file cannot be searched either. */
  maxSearchedFileBytes: 32 * 1024 * 1024,
  /** The sum of all files that are searched. */
  maxSearchedBytes: 256 * 1024 * 1024,
};

/** A walked tree, and what of the folder is not in it. */
export interface WalkedTree extends SourceTree {
  /** Entries that a report cannot name, or that cannot be read: names with control characters, unreadable folders. */
  readonly passedOver: number;
  /** Paths of these, as far as they are known; those of folders end with `/`. At most 1,000. */
  readonly unread: readonly string[];
  /** Symbolic links, which are not followed; at most 1,000. */
  readonly links: readonly string[];
  /** The folder holds more files than the limit. */
  readonly truncated: boolean;
  /** Packages in folders of modules that git keeps and no package manager marked as its own; at most 1,000. */
  readonly keptModules: readonly KeptModule[];
}

/** The tree cannot be walked: it is no folder, or may not be read. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/**
 * Walks a source tree, in the order of the names' code units. Symbolic links, devices and pipes are passed over: the target
 * of a link within the tree is found under its real name, and nothing outside of the tree is read. Folders of
 * dependencies (`node_modules`, `vendor`, ...), of version control and of tools' output are left out (see folders.ts).
 *
 * @param ownModules folders of packages in `node_modules` that are source
 * @throws TreeError where the root is no readable folder
 */
export async function walkTree(
  root: string,
  limits: Partial<typeof defaultLimits> = {},
  ownModules: readonly string[] = [],
): Promise<WalkedTree> {
  const absolute = realRoot(root);
  const { maxFiles, maxFileBytes, maxSearchedFileBytes, maxSearchedBytes } = { ...defaultLimits, ...limits };
  const walk = new FolderWalk(absolute, maxFiles, ownModules);
  await walk.run();
  const { files, passedOver, unread, links, truncated, keptModules } = walk;
  let searchable = maxSearchedBytes;
  return {
    root: absolute,
    files,
    passedOver,
    unread,
    links,
    truncated,
    keptModules,
    // Files are read one at a time: a synchronous read costs a tenth of the processor time of an asynchronous one.
    read: (path) => readText(join(absolute, path), maxFileBytes),
    search(path, take) {
      const bytes = lstatSync(join(absolute, path), { throwIfNoEntry: false })?.size ?? 0;
      const maxBytes = Math.min(maxSearchedFileBytes, searchable);
      if (bytes > maxBytes) return false;
      searchable -= bytes;
      return readPieces(join(absolute, path), maxBytes, take);
    },
  };
}

function realRoot(root: string): string {
  try {
    const absolute = realpathSync(root);
    readdirSync(absolute);
    return absolute;
  } catch {
    throw new TreeError(`${root} is not a folder that can be read: expected the folder of the project's source`);
  }
}
