import { type Dirent, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { TreeFile } from '../languages/source-tree.js';
import { inFolder } from '../languages/tree-path.js';
import { isMarkedByNeighbours, isNeverSource, isOutputName, modulesFolder, modulesMarkers } from './folders.js';
import { Gitignore } from './gitignore.js';
import { readFolder, readText } from './text-file.js';
import { readTrackedPaths, type TrackedPaths } from './tracked-paths.js';

/** A package in a `node_modules` that may be the project's own. */
export interface KeptModule {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
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

/** A larger file of rules is not read. */
const maxGitignoreBytes = 2 * 1024 * 1024;

/** A file name that only a rule for all names matches. */
const anyName = '\x01';

interface Folder {
  readonly path: string;
  /** The rules of the folders above it. */
  readonly rules: Gitignore;
  /** It has a name that build output often has, or lies in a folder of build output. */
  readonly mayBeOutput: boolean;
}

/** A folder whose children are known. */
interface ListedFolder {
  readonly path: string;
  /** Its own too. */
  readonly rules: Gitignore;
  readonly isOutput: boolean;
  /** Of its children. */
  readonly names: readonly string[];
}

/** A walk through the folders of a tree, and what it has found. */
export class FolderWalk {
  readonly files: TreeFile[] = [];
  passedOver = 0;
  readonly unread: string[] = [];
  readonly links: string[] = [];
  readonly keptModules: KeptModule[] = [];
  truncated = false;
  readonly #root: string;
  readonly #maxFiles: number;
  readonly #ownModules: readonly string[];
  readonly #open: Folder[] = [{ path: '', rules: Gitignore.none, mayBeOutput: false }];
  #tracked: TrackedPaths | undefined;

  /** @param ownModules folders of packages in `node_modules` that are source */
  constructor(root: string, maxFiles: number, ownModules: readonly string[]) {
    this.#root = root;
    this.#maxFiles = maxFiles;
    this.#ownModules = ownModules;
  }

  async run(): Promise<void> {
    for (let walked = 1; this.#open.length > 0 && !this.truncated; walked++) {
      if (walked % foldersPerBatch === 0) await nextMacrotask();
      const folder = this.#open.pop();
      if (folder !== undefined) this.#visit(folder);
    }
    this.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #visit(folder: Folder): void {
    const { path, mayBeOutput } = folder;
    const children = readFolder(join(this.#root, path));
    if (children === null) {
      this.#passOver(`${path}/`);
      return;
    }
    const rules = withGitignore(this.#root, folder, children);
    const isOutput = mayBeOutput && isIgnored(rules, path, `${path}/${anyName}`, 'file');
    const listed = { path, rules, isOutput, names: children.map(({ name }) => name) };
    const inner = children.flatMap((child) => this.#visitChild(child, listed));
    for (const next of inner.reverse()) this.#open.push(next);
  }

  /** Takes a child in, and gives the folders that are walked for it. */
  #visitChild(child: Dirent, folder: ListedFolder): Folder[] {
    const path = inFolder(folder.path, child.name);
    if (child.isSymbolicLink()) {
      if (this.links.length < maxLinks) this.links.push(path);
      return [];
    }
    const isFolder = child.isDirectory();
    if (!isFolder && !child.isFile()) return [];
    if (path.length > maxPathLength || unreportable.test(path)) this.#passOver(isFolder ? `${path}/` : path);
    else if (isFolder) return this.#foldersFor(child.name, path, folder);
    else this.#addFile(path, folder);
    return [];
  }

  #foldersFor(name: string, path: string, { path: parent, rules, isOutput, names }: ListedFolder): Folder[] {
    if (name === modulesFolder && (!rules.ignores(path, 'folder') || this.#isTracked(path)))
      return this.#ownModulesIn(path, rules);
    if (isNeverSource(name)) return [];
    const mayBeOutput = isOutput || isOutputName(name);
    if (mayBeOutput && isIgnored(rules, parent, path, 'folder') && !this.#isTracked(path)) return [];
    const isMarked = isMarkedByNeighbours(name, () => namesIn(this.#root, path), names);
    return isMarked ? [] : [{ path, rules, mayBeOutput }];
  }

  #ownModulesIn(path: string, rules: Gitignore): Folder[] {
    const found = modulesIn(this.#root, path);
    this.keptModules.push(...found.slice(0, maxKeptModules - this.keptModules.length));
    const own = found.filter((each) => this.#ownModules.includes(each.path));
    return own.map((each) => ({ path: each.path, rules, mayBeOutput: false }));
  }

  #addFile(path: string, { path: parent, rules, isOutput }: ListedFolder): void {
    if (isOutput && isIgnored(rules, parent, path, 'file') && !this.#isTracked(path)) return;
    const bytes = lstatSync(join(this.#root, path), { throwIfNoEntry: false })?.size;
    if (bytes === undefined) this.#passOver(path);
    else if (this.files.length >= this.#maxFiles) this.truncated = true;
    else this.files.push({ path, bytes });
  }

  #passOver(path: string): void {
    this.passedOver++;
    if (this.unread.length < maxUnread) this.unread.push(path);
  }

  /** Rules for new files do not untrack one: `lib/`, for Python, also fits the `src/lib` of a front end beside it. */
  #isTracked(path: string): boolean {
    this.#tracked ??= readTrackedPaths(this.#root);
    return this.#tracked.has(path);
  }
}

function namesIn(root: string, path: string): string[] {
  return (readFolder(join(root, path)) ?? []).map(({ name }) => name);
}

/** The packages in a folder of modules; none where a package manager made it. */
function modulesIn(root: string, path: string): KeptModule[] {
  const children = readFolder(join(root, path)) ?? [];
  if (children.some(({ name }) => modulesMarkers.has(name))) return [];
  return children.flatMap((child) => {
    if (!child.isDirectory() || unreportable.test(child.name)) return [];
    const within = `${path}/${child.name}`;
    if (!child.name.startsWith('@')) return [{ name: child.name, path: within }];
    const scoped = readFolder(join(root, within)) ?? [];
    return scoped.flatMap((each) =>
      each.isDirectory() && !unreportable.test(each.name)
        ? [{ name: `${child.name}/${each.name}`, path: `${within}/${each.name}` }]
        : [],
    );
  });
}

function withGitignore(root: string, { path, rules }: Folder, children: readonly Dirent[]): Gitignore {
  if (!children.some((child) => child.name === '.gitignore' && child.isFile())) return rules;
  const text = readText(join(root, path, '.gitignore'), maxGitignoreBytes);
  return text === null ? rules : rules.with(path, text);
}

/**
 * Whether git ignores a path for a rule of its own. In an ignored folder that is read all the same, git ignores everything,
 * and so says nothing about build output.
 */
function isIgnored(rules: Gitignore, folder: string, path: string, type: 'file' | 'folder'): boolean {
  return rules.ignores(path, type) && !rules.ignores(folder, 'folder');
}
