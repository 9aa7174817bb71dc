import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { formatCount } from '../../shared/text/number-text.js';
import { walkTree } from '../analysis/tree.js';
import { chooseTreeLockfiles, treeLockfileReader } from '../analysis/tree-lockfiles.js';
import type { Choice } from '../lockfiles/choice.js';
import { lockfileNames } from '../lockfiles/kinds.js';
import { type Lockfile, readLockfile } from '../lockfiles/lockfile.js';
import { LockfileError } from '../lockfiles/source.js';
import { findWorkingCopy } from './git-config.js';

export interface FoundLockfiles {
  /** The folder that the path names; of a lock file its own. */
  readonly folder: string;
  readonly lockfiles: readonly { readonly path: string; readonly read: () => Promise<Lockfile> }[];
  /** Those of the tree that are not read, and why. */
  readonly leftOut: Choice['passedOver'];
}

/** The lock file that a path names; of a folder all that `reach analyze` reads in its tree. */
export async function findLockfiles(path: string): Promise<FoundLockfiles> {
  const status = await stat(path).catch(() => null);
  if (status === null) throw new LockfileError(path, 'does not exist: expected a lock file, or a folder with one');
  return status.isDirectory() ? inTree(path) : single(path);
}

/** Its includes may lie anywhere in its repository, as they may in a tree. */
async function single(path: string): Promise<FoundLockfiles> {
  const folder = dirname(path);
  const boundary = (await findWorkingCopy(resolve(folder)))?.root ?? folder;
  return { folder, lockfiles: [{ path, read: () => readLockfile(path, boundary) }], leftOut: [] };
}

async function inTree(folder: string): Promise<FoundLockfiles> {
  const tree = await walkTree(folder);
  if (tree.truncated) throw new LockfileError(folder, 'has more files than are read: sync its parts one by one');
  const { taken, passedOver, unread } = chooseTreeLockfiles(tree);
  const leftOut = [...unread, ...passedOver].map(({ path, reason }) => ({ path: join(folder, path), reason }));
  if (tree.passedOver > 0) {
    const reason = `${formatCount(tree.passedOver)} of its files and folders cannot be opened, or have control characters in their names`;
    leftOut.push({ path: folder, reason });
  }
  if (taken.length === 0) {
    const known = leftOut.slice(0, 3).map(({ path, reason }) => `; ${path} is not read: ${reason}`);
    throw new LockfileError(folder, `has no lock file in it: expected one of ${lockfileNames}${known.join('')}`);
  }
  const read = treeLockfileReader(tree);
  const lockfiles = taken.map((treePath) => {
    const path = join(folder, treePath);
    return {
      path,
      read: async () => {
        const { kind, bytes: _bytes, ...reading } = await read(treePath, path);
        return { path, kind: kind.name, ecosystem: kind.ecosystem, ...reading };
      },
    };
  });
  // A known lock file that is not read is a source too: nobody may take its packages for absent.
  const notRead = unread.flatMap(({ path: treePath, ecosystem }) => {
    if (ecosystem === null) return [];
    const path = join(folder, treePath);
    const part = { ecosystem, name: null, reason: 'file_not_read' as const, stated: null, at: null };
    return {
      path,
      read: async () => ({ path, kind: basename(path), ecosystem, packages: [], skipped: [], unread: [part] }),
    };
  });
  return { folder, lockfiles: [...lockfiles, ...notRead], leftOut };
}
