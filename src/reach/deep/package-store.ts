import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { remember } from '../remember.js';
import type { OpenPackage } from './files-in-package.js';
import type { LockedNode, LockIndex } from './lock-index.js';
import { PackageFolder } from './package-folder.js';
import { readManifest } from './package-manifest.js';
import type { TarballCache } from './tarball-cache.js';
import { unpackZip, YarnCache } from './yarn-cache.js';

/** A package whose files are at hand. */
export interface StoredPackage extends OpenPackage {
  /** Its entries in the lock files; none for one that no registry has, as of a git repository. */
  readonly nodes: readonly LockedNode[];
  /** No search of node_modules goes above this folder. */
  readonly boundary: string;
}

/**
 * The packages of a tree: those that are installed in it, those in Yarn's cache there, and where a cache is given those that
 * the lock files' tarballs hold. Of the folder of the tree nothing outside is read, wherever links lead.
 */
export class PackageStore {
  readonly #root: string;
  readonly #index: LockIndex;
  readonly #tarballs: TarballCache | null;
  readonly #opened = new Map<string, StoredPackage | null>();
  readonly #found = new Map<string, StoredPackage | null>();
  readonly #fetched = new Map<LockedNode, StoredPackage | string>();
  readonly #yarnCaches = new Map<string, YarnCache | null>();
  #temporary: string | null = null;

  /** @param root absolute, without symbolic links */
  constructor(root: string, index: LockIndex, tarballs: TarballCache | null) {
    this.#root = root;
    this.#index = index;
    this.#tarballs = tarballs;
  }

  /** The package that a name means in a folder, as Node searches; null where none is installed. */
  installed(folder: string, name: string, boundary = this.#root): StoredPackage | null {
    return remember(this.#found, `${folder}\0${name}`, () => {
      const isOfModules = folder.endsWith(`${sep}node_modules`);
      const here = isOfModules ? null : this.#open(join(folder, 'node_modules', name), boundary);
      const above = dirname(folder);
      const isTop = folder === boundary || above === folder;
      return here ?? (isTop ? null : this.installed(above, name, boundary));
    });
  }

  /** The package of a lock file's entry, where it is at hand already: at its place in node_modules, or fetched before. */
  known(node: LockedNode): StoredPackage | null {
    const fetched = this.#fetched.get(node);
    if (fetched !== undefined) return typeof fetched === 'string' ? null : fetched;
    const { lock, locked } = node;
    const places = [
      ...(lock.byPlace ? [locked.key] : []),
      `node_modules/.pnpm/${locked.name.replace('/', '+')}@${locked.version}/node_modules/${locked.name}`,
      `node_modules/${locked.name}`,
    ];
    for (const place of places) {
      const found = this.#open(join(this.#root, lock.folder, place), this.#root);
      if (found?.nodes.some((other) => isSameVersion(other, node)) === true) return found;
    }
    return null;
  }

  /** Fetches packages that are not at hand. Afterwards they are `known`, or `failureOf` has the reason. */
  async fetch(wanted: readonly LockedNode[]): Promise<void> {
    const missing = [...new Set(wanted)].filter((node) => !this.#fetched.has(node) && this.known(node) === null);
    for (const node of missing) this.#fetched.set(node, (await this.#fromYarn(node)) ?? 'it is not installed');
    if (this.#tarballs === null) return;
    const open = missing.filter((node) => typeof this.#fetched.get(node) === 'string');
    const folders = await this.#tarballs.folders(open.map(({ locked }) => locked));
    for (const [index, node] of open.entries()) {
      const result = folders[index];
      if (result === undefined) continue;
      this.#fetched.set(node, 'failure' in result ? result.failure : (this.#unpacked(result.folder, node) ?? misnamed));
    }
  }

  failureOf(node: LockedNode): string {
    const fetched = this.#fetched.get(node);
    return typeof fetched === 'string' ? fetched : 'it is not installed';
  }

  /** Removes what was unpacked only for this run. */
  async close(): Promise<void> {
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }

  async #fromYarn(node: LockedNode): Promise<StoredPackage | null> {
    const { lock, locked } = node;
    const archive = this.#yarnCacheOf(lock.folder)?.archiveOf(locked.name, locked.version) ?? null;
    if (archive === null) return null;
    this.#temporary ??= realpathSync(await mkdtemp(join(tmpdir(), 'reach-packages-')));
    try {
      return this.#unpacked(await unpackZip(archive, locked.name, this.#temporary), node);
    } catch {
      return null;
    }
  }

  #yarnCacheOf(folder: string): YarnCache | null {
    return remember(this.#yarnCaches, folder, () => {
      const path = realPath(join(this.#root, folder, '.yarn', 'cache'));
      return path !== null && isBelow(path, this.#root) ? new YarnCache(path) : null;
    });
  }

  #unpacked(folder: string, node: LockedNode): StoredPackage | null {
    const found = this.#read(folder, folder);
    return found?.nodes.some((other) => isSameVersion(other, node)) === true ? found : null;
  }

  #open(path: string, boundary: string): StoredPackage | null {
    return remember(this.#opened, path, () => {
      const real = existsSync(path) ? realPath(path) : null;
      if (real === null || !isBelow(real, boundary)) return null;
      return real === path ? this.#read(real, boundary) : this.#open(real, boundary);
    });
  }

  #read(path: string, boundary: string): StoredPackage | null {
    const folder = new PackageFolder(path);
    const manifest = readManifest(folder);
    if (manifest === null) return null;
    return { folder, manifest, nodes: this.#index.withVersion(manifest.name, manifest.version), boundary };
  }
}

const misnamed = 'its tarball holds another package than the lock file says';

function isSameVersion(a: LockedNode, b: LockedNode): boolean {
  return a.locked.name === b.locked.name && a.locked.version === b.locked.version;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
