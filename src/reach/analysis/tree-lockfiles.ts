import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import type { SourceTree } from '../languages/source-tree.js';
import { folderOf } from '../languages/tree-path.js';
import { chooseAmong } from '../lockfiles/choice.js';
import { groupBy } from '../lockfiles/group-by.js';
import { detect } from '../lockfiles/kinds.js';
import { packageManagerOf } from '../lockfiles/manifest.js';
import { maxLockfileBytes, toSource } from '../lockfiles/open-source.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { LockfileError, type Source } from '../lockfiles/source.js';
import { readBytes } from './text-file.js';

/** A lock file of the tree, read. */
export interface TreeLockfile {
  /** Relative to the tree, `/` between its parts; so is `folder`, which is empty for the tree's root. */
  readonly path: string;
  readonly folder: string;
  /** The file name that is known, such as `package-lock.json`. */
  readonly kind: string;
  readonly sha256: string;
  readonly packages: readonly LockedPackage[];
}

export interface TreeLockfiles {
  readonly lockfiles: readonly TreeLockfile[];
  /** Errors of lock files that cannot be read; each begins with the path. */
  readonly faults: readonly string[];
}

/** The most lock files that one report can name. */
const maxLockfiles = 1000;

/** Folders whose lock files belong to test data, not to the project. */
const testData = new Set(['fixtures', '__fixtures__', 'testdata', 'test-data', 'test-fixtures']);

/**
 * Reads the lock files of a tree: in each folder one for each ecosystem, chosen as `reach sync` chooses. Manifests are read
 * from the tree's files only, so that nothing outside of the tree is read.
 */
export async function readTreeLockfiles(tree: SourceTree): Promise<TreeLockfiles> {
  const paths = new Set(tree.files.map(({ path }) => path));
  const inFolders = groupBy(
    tree.files.flatMap(({ path }) => (detect(path) === null || isTestData(path) ? [] : path)),
    folderOf,
  );
  const lockfiles: TreeLockfile[] = [];
  const faults: string[] = [];
  for (const [folder, present] of inFolders) {
    const names = new Set(present.map((path) => posix.basename(path)));
    const { taken } = chooseAmong(names, managerOf(tree, paths, folder));
    for (const path of present.filter((each) => taken.includes(posix.basename(each)))) {
      if (lockfiles.length + faults.length >= maxLockfiles) {
        faults.push(`${path}: is one lock file more than the ${maxLockfiles} that are read of one tree`);
        return { lockfiles, faults };
      }
      try {
        lockfiles.push(await read(tree, paths, path));
      } catch (error) {
        if (!(error instanceof LockfileError)) throw error;
        faults.push(error.message);
      }
    }
  }
  return { lockfiles, faults };
}

function managerOf(tree: SourceTree, paths: ReadonlySet<string>, folder: string): string | null {
  const manifest = sourceOf(tree, paths, posix.join(folder, 'package.json'));
  if (manifest === null) return null;
  try {
    return packageManagerOf(manifest);
  } catch (error) {
    // A broken manifest names no package manager; who needs more of it reports the fault.
    if (error instanceof LockfileError) return null;
    throw error;
  }
}

async function read(tree: SourceTree, paths: ReadonlySet<string>, path: string): Promise<TreeLockfile> {
  const kind = detect(path);
  const bytes = readBytes(join(tree.root, path), maxLockfileBytes);
  if (kind === null || bytes === null)
    throw new LockfileError(path, `cannot be read, or has more than ${maxLockfileBytes} bytes`);
  const { packages } = await kind.read(toSource(path, bytes, relativeTo(tree, paths, path)));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, folder: folderOf(path), kind: kind.name, sha256, packages };
}

function sourceOf(tree: SourceTree, paths: ReadonlySet<string>, path: string): Source | null {
  const bytes = paths.has(path) ? readBytes(join(tree.root, path), maxLockfileBytes) : null;
  return bytes === null ? null : toSource(path, bytes, relativeTo(tree, paths, path));
}

function relativeTo(tree: SourceTree, paths: ReadonlySet<string>, path: string): Source['readRelative'] {
  return async (other) => sourceOf(tree, paths, posix.join(folderOf(path), other));
}

function isTestData(path: string): boolean {
  return path.split('/').some((part) => testData.has(part));
}
