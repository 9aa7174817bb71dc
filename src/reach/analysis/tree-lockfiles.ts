import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { unreadWords } from '../../procedures/unread.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { SourceTree } from '../languages/source-tree.js';
import { fileNameOf, folderOf, isWithin } from '../languages/tree-path.js';
import { type Choice, chooseAmong } from '../lockfiles/choice.js';
import { groupBy } from '../lockfiles/group-by.js';
import { detect, isNamedByFolder, type NamedKind } from '../lockfiles/kinds.js';
import { packageManagerOf } from '../lockfiles/manifest.js';
import { maxLockfileBytes, type Surroundings, toSource } from '../lockfiles/open-source.js';
import type { LockedPackage, Reading } from '../lockfiles/package-list.js';
import { refusalOf } from '../lockfiles/refusals.js';
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

/**
 * The lock files of a tree that are read, and those that are left out. Paths are those of the tree. A known file that is not read is a
 * rival where another one of its ecosystem is read beside it.
 */
export interface TreeChoice extends Choice {
  /** Left out, although packages of a matched ecosystem stay unknown by that. */
  readonly unread: readonly (Choice['passedOver'][number] & { readonly ecosystem: Ecosystem | null })[];
}

/** The most lock files that one report can name. */
const maxLockfiles = 1000;

/** Folders whose lock files belong to test data, not to the project. */
const testData = new Set(['fixtures', '__fixtures__', 'testdata', 'test-data', 'test-fixtures']);

/** Chooses the lock files of a tree: in each folder those of one tool for each ecosystem. */
export function chooseTreeLockfiles(tree: SourceTree): TreeChoice {
  const paths = pathsOf(tree);
  const taken: string[] = [];
  const passedOver: Choice['passedOver'][number][] = [];
  const unread: TreeChoice['unread'][number][] = [];
  const rivals: string[] = [];
  for (const [folder, files] of groupBy(paths, folderOf)) {
    const candidates = files.flatMap((path) => {
      const kind = detect(`/${path}`);
      return kind === null ? [] : { path, kind };
    });
    const refused = files.flatMap((path) => {
      const refusal = refusalOf(path);
      return refusal === null ? [] : { path, ...refusal };
    });
    if (isTestData(folder)) {
      const known = [...candidates, ...refused];
      passedOver.push(...known.map(({ path }) => ({ path, reason: 'it lies in a folder of test data' })));
      continue;
    }
    const choice = chooseAmong(candidates, candidates.length > 1 ? managerOf(tree, paths, folder) : null);
    taken.push(...files.filter((path) => choice.taken.includes(path)));
    passedOver.push(...choice.passedOver);
    rivals.push(...choice.rivals);
    for (const { path, ecosystem, why, supersededBy } of refused) {
      const isKnownByOther = candidates.some(({ kind }) => kind.ecosystem === ecosystem);
      const isSuperseded = candidates.some(({ kind }) => kind.name === supersededBy);
      const reason = `it ${why}`;
      if (ecosystem === null || isKnownByOther) passedOver.push({ path, reason });
      else unread.push({ path, reason, ecosystem });
      if (ecosystem !== null && isKnownByOther && !isSuperseded) rivals.push(path);
    }
  }
  const beyond = taken.splice(maxLockfiles);
  unread.push(
    ...beyond.map((path) => ({
      path,
      ecosystem: detect(`/${path}`)?.ecosystem ?? null,
      reason: `it is beyond the ${maxLockfiles} lock files that are read of one tree`,
    })),
  );
  return { taken, passedOver, rivals, unread };
}

/**
 * Reads the lock files of a tree, chosen as `reach sync` chooses. Manifests are read from the tree's files only, so that
 * nothing outside of the tree is read.
 */
export async function readTreeLockfiles(tree: SourceTree): Promise<TreeLockfiles> {
  const { taken, unread } = chooseTreeLockfiles(tree);
  const lockfiles: TreeLockfile[] = [];
  const faults = unread.map(({ path, reason }) => `${path} is not read: ${reason}`);
  const read = treeLockfileReader(tree);
  for (const path of taken) {
    try {
      const { kind, bytes, packages, unread: parts } = await read(path);
      faults.push(...withoutVersion(path, parts));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      lockfiles.push({ path, folder: projectFolderOf(path, kind), kind: kind.name, sha256, packages });
    } catch (error) {
      if (!(error instanceof LockfileError)) throw error;
      if (!isNamedByFolder(`/${path}`)) faults.push(error.message);
    }
  }
  return { lockfiles, faults };
}

/** Dependencies of a build file that no file of the project gives a version: nothing is known of them. */
function withoutVersion(path: string, unread: Reading['unread']): string[] {
  return (['no_version', 'property'] as const).flatMap((reason) => {
    const count = unread.filter((part) => part.reason === reason).length;
    return count === 0 ? [] : [`${path}: not judged are ${count} of which each ${unreadWords[reason]}`];
  });
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

/** Reads lock files of a tree by their paths in it. `shown` is how errors name the file. */
export function treeLockfileReader(tree: SourceTree) {
  const paths = pathsOf(tree);
  return async (
    path: string,
    shown = path,
  ): Promise<Reading & { readonly kind: NamedKind; readonly bytes: Buffer }> => {
    const kind = detect(`/${path}`);
    const bytes = readBytes(join(tree.root, path), maxLockfileBytes);
    if (kind === null || bytes === null)
      throw new LockfileError(shown, `cannot be read, or has more than ${maxLockfileBytes} bytes`);
    const reading = await kind.read(toSource(shown, bytes, around(tree, paths, path)));
    return { ...reading, kind, bytes };
  };
}

/** Reads any file of a tree by its path in it; null for one that is too large or cannot be opened. */
export function treeSource(tree: SourceTree): (path: string) => Source | null {
  const paths = pathsOf(tree);
  return (path) => sourceOf(tree, paths, path);
}

/** `requirements/dev.txt` is of the folder around `requirements`. */
export function projectFolderOf(path: string, { tool }: NamedKind): string {
  const folder = folderOf(path);
  return tool === 'pip' && fileNameOf(folder) === 'requirements' ? folderOf(folder) : folder;
}

function pathsOf({ files }: SourceTree): ReadonlySet<string> {
  return new Set(files.map(({ path }) => path));
}

function sourceOf(tree: SourceTree, paths: ReadonlySet<string>, path: string): Source | null {
  const isOfTree = paths.has(path) || isInstalledManifest(tree, path);
  const bytes = isOfTree ? readBytes(join(tree.root, path), maxLockfileBytes) : null;
  return bytes === null ? null : toSource(path, bytes, around(tree, paths, path));
}

const installedManifest = /(?:^|\/)node_modules\/(?:\.yarn-integrity|(?:@[^/]+\/)?[^/]+\/package\.json)$/;

/** The manifest of an installed package: the walk leaves out node_modules. A link out of the tree is not followed. */
function isInstalledManifest(tree: SourceTree, path: string): boolean {
  if (!installedManifest.test(path)) return false;
  try {
    return realpathSync(join(tree.root, path)).startsWith(join(tree.root, '/'));
  } catch {
    return false;
  }
}

function around(tree: SourceTree, paths: ReadonlySet<string>, path: string): Surroundings {
  const folder = folderOf(path);
  return {
    readRelative: async (other) => sourceOf(tree, paths, posix.join(folder, other)),
    async foldersWith(name, maxDepth) {
      const below = [...paths].filter((each) => fileNameOf(each) === name && isWithin(each, folder));
      const folders = below.map((each) => posix.relative(folder, folderOf(each)));
      return folders.filter((each) => each !== '' && each.split('/').length <= maxDepth).sort();
    },
  };
}

export function isTestData(folder: string): boolean {
  return folder.split('/').some((part) => testData.has(part));
}
