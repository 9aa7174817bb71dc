import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { SourceTree, TreeFile } from '../languages/source-tree.js';
import { isMarkedByNeighbours, isNeverSource, isOutputName, modulesFolder, modulesMarkers } from './folders.js';
import { Gitignore } from './gitignore.js';
import { readText } from './text-file.js';
import { readPieces } from './text-pieces.js';
import { readTrackedPaths, type TrackedPaths } from './tracked-paths.js';

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

/** A package in a `node_modules` that may be the project's own. */
interface KeptModule {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
}

/** The tree cannot be walked: it is no folder, or may not be read. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** Characters of a path that a usage report can carry. */
const maxPathLength = 1024;

/** Entries that are passed over and listed, and packages in kept folders of modules. */
const maxUnread = 1000;
const maxLinks = 1000;
const maxKeptModules = 1000;
const unreportable = /[\p{Cc}\\\uFFFD]/u;

/** Folders walked before timers, signals and progress run. */
const foldersPerBatch = 100;

/** A file name that only a rule for all names matches. */
const anyName = '\x01';

interface Folder {
  readonly path: string;
  /** Of the folders above it. */
  readonly rules: Gitignore;
  /** It has a name that build output often has, or lies in a folder of build output. */
  readonly mayBeOutput: boolean;
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
  let searchable = maxSearchedBytes;
  const files: TreeFile[] = [];
  const open: Folder[] = [{ path: '', rules: Gitignore.none, mayBeOutput: false }];
  let passedOver = 0;
  const unread: string[] = [];
  const passOver = (path: string) => {
    passedOver++;
    if (unread.length < maxUnread) unread.push(path);
  };
  const links: string[] = [];
  const keptModules: KeptModule[] = [];
  let tracked: TrackedPaths | undefined;
  // Rules for new files do not untrack one: `lib/`, for Python, also fits the `src/lib` of a front end beside it.
  const isTracked = (path: string) => {
    tracked ??= readTrackedPaths(absolute);
    return tracked.has(path);
  };
  let truncated = false;
  for (let walked = 1; open.length > 0 && !truncated; walked++) {
    if (walked % foldersPerBatch === 0) await nextMacrotask();
    const folder = open.pop();
    if (folder === undefined) break;
    const children = readFolder(absolute, folder.path);
    if (children === null) {
      passOver(`${folder.path}/`);
      continue;
    }
    const rules = withGitignore(absolute, folder, children);
    const isOutput = folder.mayBeOutput && isIgnored(rules, folder.path, `${folder.path}/${anyName}`, 'file');
    const names = children.map(({ name }) => name);
    const inner: Folder[] = [];
    for (const child of children) {
      const path = folder.path === '' ? child.name : `${folder.path}/${child.name}`;
      if (child.isSymbolicLink()) {
        if (links.length < maxLinks) links.push(path);
        continue;
      }
      if (path.length > maxPathLength || unreportable.test(path)) {
        if (child.isDirectory()) passOver(`${path}/`);
        else if (child.isFile()) passOver(path);
      } else if (child.isDirectory()) {
        if (child.name === modulesFolder && (!rules.ignores(path, 'folder') || isTracked(path))) {
          const found = modulesIn(absolute, path);
          keptModules.push(...found.slice(0, maxKeptModules - keptModules.length));
          const own = found.filter((each) => ownModules.includes(each.path));
          inner.push(...own.map((each) => ({ path: each.path, rules, mayBeOutput: false })));
          continue;
        }
        const mayBeOutput = isOutput || isOutputName(child.name);
        if (isNeverSource(child.name)) continue;
        if (mayBeOutput && isIgnored(rules, folder.path, path, 'folder') && !isTracked(path)) continue;
        if (!isMarkedByNeighbours(child.name, () => namesIn(absolute, path), names)) {
          inner.push({ path, rules, mayBeOutput });
        }
      } else if (child.isFile()) {
        if (isOutput && isIgnored(rules, folder.path, path, 'file') && !isTracked(path)) continue;
        const bytes = lstatSync(join(absolute, path), { throwIfNoEntry: false })?.size;
        if (bytes === undefined) passOver(path);
        else if (files.length >= maxFiles) truncated = true;
        else files.push({ path, bytes });
      }
    }
    for (const next of inner.reverse()) open.push(next);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
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

function readFolder(root: string, path: string): Dirent[] | null {
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}

function namesIn(root: string, path: string): string[] {
  return (readFolder(root, path) ?? []).map(({ name }) => name);
}

/** The packages in a folder of modules; none where a package manager made it. */
function modulesIn(root: string, path: string): KeptModule[] {
  const children = readFolder(root, path) ?? [];
  if (children.some(({ name }) => modulesMarkers.has(name))) return [];
  return children.flatMap((child) => {
    if (!child.isDirectory() || unreportable.test(child.name)) return [];
    const within = `${path}/${child.name}`;
    if (!child.name.startsWith('@')) return [{ name: child.name, path: within }];
    const scoped = readFolder(root, within) ?? [];
    return scoped.flatMap((each) =>
      each.isDirectory() && !unreportable.test(each.name)
        ? [{ name: `${child.name}/${each.name}`, path: `${within}/${each.name}` }]
        : [],
    );
  });
}

function withGitignore(root: string, { path, rules }: Folder, children: readonly Dirent[]): Gitignore {
  if (!children.some((child) => child.name === '.gitignore' && child.isFile())) return rules;
  const text = readText(join(root, path, '.gitignore'), defaultLimits.maxFileBytes);
  return text === null ? rules : rules.with(path, text);
}

/**
 * Whether git ignores a path for a rule of its own. In an ignored folder that is read all the same, git ignores everything,
 * and so says nothing about build output.
 */
function isIgnored(rules: Gitignore, folder: string, path: string, type: 'file' | 'folder'): boolean {
  return rules.ignores(path, type) && !rules.ignores(folder, 'folder');
}
