import { isBuiltin } from '../languages/javascript/resolve/specifier.js';
import { folderOf } from '../languages/tree-path.js';
import type { LoadedModule, Start } from './loaded-modules.js';
import type { LockedNode, LockIndex } from './lock-index.js';
import type { PackageStore, StoredPackage } from './package-store.js';

interface FoundPackages {
  readonly stores: readonly StoredPackage[];
  /** Entries of lock files whose files are not at hand. */
  readonly nodes: readonly LockedNode[];
}

/** Finds what the name of a package means in a file: what Node finds there, else what the lock file says. */
export class PackageFinder {
  readonly #root: string;
  readonly #index: LockIndex;
  readonly #store: PackageStore;

  constructor(root: string, index: LockIndex, store: PackageStore) {
    this.#root = root;
    this.#index = index;
    this.#store = store;
  }

  find(from: LoadedModule | Start, name: string): FoundPackages {
    if ('store' in from && from.store.manifest.name === name) return { stores: [from.store], nodes: [] };
    const nodes = this.#locked(from, name);
    const found = this.#installed(from, name);
    // A package in another version than the lock file has is read too: but it does not stand for the right one.
    if (found !== null && (found.nodes.length > 0 || nodes.length === 0)) return { stores: [found], nodes: [] };
    const known = nodes.flatMap((node) => this.#store.known(node) ?? []);
    const stores = found === null ? known : [found, ...known];
    return { stores: [...new Set(stores)], nodes: known.length > 0 ? [] : nodes };
  }

  /** What has to be fetched before `find` has all that it can have. */
  missing(from: LoadedModule | Start, name: string): readonly LockedNode[] {
    return name === '' || isBuiltin(name) ? [] : this.find(from, name).nodes;
  }

  #locked(from: LoadedModule | Start, name: string): readonly LockedNode[] {
    if (!('store' in from)) return this.#index.fromTree(from.file, name);
    return this.#index.fromPackages(from.store.nodes, from.store.manifest.dependencies.get(name) ?? name);
  }

  #installed(from: LoadedModule | Start, name: string): StoredPackage | null {
    if ('store' in from) return this.#store.installed(from.store.folder.path, name, from.store.boundary);
    const folder = folderOf(from.file);
    return this.#store.installed(folder === '' ? this.#root : `${this.#root}/${folder}`, name);
  }
}
