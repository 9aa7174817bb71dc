import type { TreeLockfile } from '../analysis/tree-lockfiles.js';
import { folderOf, fromFoldersAbove, inFolder, isWithin } from '../languages/tree-path.js';
import { addTo } from '../lockfiles/group-by.js';
import type { LockedPackage } from '../lockfiles/package-list.js';

/** One package of one lock file. */
export interface LockedNode {
  readonly locked: LockedPackage;
  readonly lock: NpmLock;
}

/** A lock file of npm's registry, by what is looked up in it. */
export interface NpmLock {
  /** Relative to the tree; so is `folder`. */
  readonly path: string;
  readonly folder: string;
  /** Its keys are places in node_modules. */
  readonly byPlace: boolean;
  readonly byKey: ReadonlyMap<string, LockedNode>;
  readonly byName: ReadonlyMap<string, readonly LockedNode[]>;
  /** The direct packages that name another one as their peer, by the other's name. */
  readonly plugins: ReadonlyMap<string, readonly LockedNode[]>;
}

/** The packages of npm's registry that the lock files of a tree name. */
export class LockIndex {
  readonly locks: readonly NpmLock[];
  readonly #byVersion = new Map<string, [LockedNode, ...LockedNode[]]>();

  constructor(lockfiles: readonly TreeLockfile[]) {
    this.locks = lockfiles
      .filter(({ packages }) => packages.some(({ ecosystem }) => ecosystem === 'npm'))
      .map(toLock)
      // The nearest lock file upwards is the first that contains a path.
      .sort((a, b) => b.folder.length - a.folder.length);
    for (const { byKey } of this.locks) {
      for (const node of byKey.values()) addTo(this.#byVersion, versionKey(node.locked), node);
    }
  }

  withVersion(name: string, version: string): readonly LockedNode[] {
    return this.#byVersion.get(versionKey({ name, version })) ?? [];
  }

  /** The lock file that says what a file of the tree imports; null where none lies above it. */
  lockOf(file: string): NpmLock | null {
    return this.locks.find(({ folder }) => isWithin(file, folder)) ?? null;
  }

  /** What the name of a package means in a file of the tree. Several where the lock file does not decide. */
  fromTree(file: string, name: string): readonly LockedNode[] {
    const lock = this.lockOf(file);
    if (lock === null) return [];
    const folder = folderOf(file).slice(lock.folder === '' ? 0 : lock.folder.length + 1);
    const placed = lock.byPlace ? nodeAbove(lock, folder, name) : null;
    if (placed !== null) return [placed];
    const named = lock.byName.get(name) ?? [];
    const direct = named.filter(({ locked }) => locked.direct === true);
    return direct.length > 0 ? direct : named;
  }

  /** What the name of a package means in the files of other packages. */
  fromPackages(nodes: readonly LockedNode[], name: string): readonly LockedNode[] {
    return nodes.flatMap((node) => dependencyNamed(node, name));
  }

  /** Every package that code of these may load: what they depend on, their peers and plugins, and all below. */
  below(nodes: readonly LockedNode[], names: Iterable<string>): ReadonlySet<LockedNode> {
    const loaders = nodes.length > 0 ? nodes : [];
    const found = new Set<LockedNode>();
    for (const name of names) {
      const known = this.fromPackages(loaders, name);
      for (const node of known.length > 0 ? known : this.locks.flatMap(({ byName }) => byName.get(name) ?? []))
        found.add(node);
    }
    for (const node of nodes) {
      for (const key of node.locked.dependencies) addIfKnown(found, node.lock.byKey.get(key));
      for (const plugin of node.lock.plugins.get(node.locked.name) ?? []) found.add(plugin);
    }
    // A set also visits what is added to it meanwhile.
    for (const { locked, lock } of found) {
      for (const key of locked.dependencies) addIfKnown(found, lock.byKey.get(key));
    }
    return found;
  }
}

function toLock({ path, folder, packages }: TreeLockfile): NpmLock {
  const byKey = new Map<string, LockedNode>();
  const byName = new Map<string, [LockedNode, ...LockedNode[]]>();
  const plugins = new Map<string, [LockedNode, ...LockedNode[]]>();
  const byPlace = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/.test(path);
  const lock: NpmLock = { path, folder, byPlace, byKey, byName, plugins };
  for (const locked of packages) {
    if (locked.ecosystem !== 'npm') continue;
    const node = { locked, lock };
    byKey.set(locked.key, node);
    addTo(byName, locked.name, node);
    for (const peer of locked.direct === false ? [] : (locked.peers ?? [])) addTo(plugins, peer, node);
  }
  return lock;
}

/** An npm lock file has the place of each package. In others a peer may be no dependency, so any package of its name counts. */
function dependencyNamed({ locked, lock }: LockedNode, name: string): readonly LockedNode[] {
  if (lock.byPlace) {
    const found = nodeAbove(lock, locked.key, name);
    return found === null ? [] : [found];
  }
  const dependencies = locked.dependencies.flatMap((key) => lock.byKey.get(key) ?? []);
  const named = dependencies.filter((node) => node.locked.name === name);
  return named.length > 0 ? named : (lock.byName.get(name) ?? []);
}

/** How Node searches, in the places of a lock file. */
function nodeAbove({ byKey }: NpmLock, folder: string, name: string): LockedNode | null {
  const found = fromFoldersAbove(folder, (at) => byKey.get(inFolder(at, `node_modules/${name}`)));
  return found ?? null;
}

function versionKey({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${name}@${version}`;
}

function addIfKnown<T>(set: Set<T>, value: T | undefined): void {
  if (value !== undefined) set.add(value);
}
