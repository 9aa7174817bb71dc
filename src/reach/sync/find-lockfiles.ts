import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { UnreadPart } from '../../procedures/unread.js';
import { formatCount } from '../../shared/text/number-text.js';
import { walkTree } from '../analysis/tree.js';
import { chooseTreeLockfiles, treeLockfileReader } from '../analysis/tree-lockfiles.js';
import type { Choice } from '../lockfiles/choice.js';
import { lockfileNames } from '../lockfiles/kinds.js';
import { type Lockfile, readLockfile } from '../lockfiles/lockfile.js';
import { LockfileError } from '../lockfiles/source.js';
import { partsBeside } from './beside-lockfiles.js';
import { findWorkingCopy } from './git-config.js';

export interface FoundLockfiles {
  /** The folder that the path names; of a lock file its own. */
  readonly folder: string;
  readonly lockfiles: readonly { readonly path: string; readonly read: () => Promise<Lockfile> }[];
  /** Those of the tree that are not read, and why. */
  readonly leftOut: Choice['passedOver'];
  /** What the tree names outside of the lock files that were read; of a single file nothing. */
  readonly beside: (read: readonly Lockfile[]) => Promise<UnreadPart[]>;
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
  return {
    folder,
    lockfiles: [{ path, read: () => readLockfile(path, boundary) }],
    leftOut: [],
    beside: async () => [],
  };
}

async function inTree(folder: string): Promise<FoundLockfiles> {
  const tree = await walkTree(folder);
  if (tree.truncated) throw new LockfileError(folder, 'has more files than are read: sync its parts one by one');
  const choice = chooseTreeLockfiles(tree);
  const { taken, passedOver, unread } = choice;
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
  return {
    folder,
    lockfiles,
    leftOut,
    beside: (found) =>
      partsBeside(
        tree,
        choice,
        found.map((each) => ({ ...each, treePath: relative(folder, each.path).split(sep).join('/') })),
      ),
  };
}
