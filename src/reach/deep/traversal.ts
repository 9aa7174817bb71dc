import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { PartialSpecifier } from '../languages/javascript/parse/reference.js';
import { isBuiltin, packageOf, withoutLoaders } from '../languages/javascript/resolve/specifier.js';
import type { SearchGap } from '../languages/language-reader.js';
import { type PlaceOf, positionsIn } from '../languages/positions.js';
import { folderOf, joinPath } from '../languages/tree-path.js';
import { groupBy } from '../lockfiles/group-by.js';
import { remember } from '../remember.js';
import { browserSpecifiers, filesNear, filesOf, importsOf, type Targets } from './files-in-package.js';
import { pathsIn, specifiersIn } from './literal-loads.js';
import type { LoadedModule, PackageGap, PossibleLoad, Start, UnreadPackage } from './loaded-modules.js';
import type { LockedNode, LockIndex } from './lock-index.js';
import { loadsIn, type ModuleLoad } from './module-loads.js';
import { PackageFinder } from './package-finder.js';
import type { PackageStore, StoredPackage } from './package-store.js';

/** Bytes of text and files that are read before yielding to the event loop: the parser frees its memory only then. */
const filesPerBatch = 64;
const charactersPerBatch = 512 * 1024;

/** Files that are read at all; a large application loads some 30,000. */
const maxModules = 400_000;

/** Files that are assets for bundlers, and load no package. */
const asset =
  /\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|eot|html?|txt|md|ya?ml|json5?|wasm|node|graphql|gql)$/i;

/** The loads of the files of one level: packages by their specifiers, and files that were not visited before. */
interface Level {
  readonly edges: PossibleLoad[];
  readonly next: LoadedModule[];
}

/**
 * Follows the imports of packages, level by level, so that each file is first reached on a shortest way. A file is read once.
 */
export class Traversal {
  readonly modules: LoadedModule[] = [];
  readonly unread: UnreadPackage[] = [];
  readonly gaps: PackageGap[] = [];
  /** Places that name a package in a string; `follow` does not follow them. */
  possible: PossibleLoad[] = [];
  readonly #index: LockIndex;
  readonly #store: PackageStore;
  readonly #finder: PackageFinder;
  readonly #visited = new Set<string>();
  readonly #named = new Map<StoredPackage, Set<string>>();
  readonly #unreadNodes = new Set<LockedNode>();
  readonly #gapKeys = new Set<string>();
  #filesInBatch = 0;
  #charactersInBatch = 0;

  constructor(root: string, index: LockIndex, store: PackageStore) {
    this.#finder = new PackageFinder(root, index, store);
    this.#index = index;
    this.#store = store;
  }

  get isFull(): boolean {
    return this.modules.length >= maxModules;
  }

  /** Follows everything that these places load. Where a package is not at hand, it is fetched. */
  async follow(
    starts: readonly Start[],
    possible: readonly PossibleLoad[],
    progress: (files: number) => void,
  ): Promise<void> {
    const byDepth = groupBy(starts, ({ depth }) => depth);
    const depths = [...byDepth.keys()].sort((a, b) => a - b);
    let modules: LoadedModule[] = [];
    let given = possible;
    for (let depth = depths[0] ?? 0; !this.isFull; depth++) {
      const now = byDepth.get(depth) ?? [];
      byDepth.delete(depth);
      if (modules.length === 0 && now.length === 0 && given.length === 0) {
        if (byDepth.size === 0) return;
        continue;
      }
      const level: Level = { edges: [], next: [] };
      for (const module of modules) {
        this.#read(module, level);
        await this.#breathe();
      }
      const edges = [...level.edges, ...given];
      await this.#store.fetch([
        ...now.flatMap((start) => this.#finder.missing(start, start.name)),
        ...edges.flatMap(({ from, specifier }) => this.#finder.missing(from, packageOf(specifier)?.name ?? '')),
      ]);
      for (const start of now) this.#enter(start, start.name, start.subpath, null, level);
      for (const { from, specifier, line } of edges) this.#resolve(from, specifier, line, level);
      modules = level.next;
      given = [];
      progress(this.modules.length);
    }
  }

  async #breathe(): Promise<void> {
    this.#filesInBatch++;
    if (this.#filesInBatch < filesPerBatch && this.#charactersInBatch < charactersPerBatch) return;
    this.#filesInBatch = 0;
    this.#charactersInBatch = 0;
    await nextMacrotask();
  }

  /** Reads a file, and adds what it loads to the level. */
  #read(module: LoadedModule, level: Level): void {
    const { store, path } = module;
    if (asset.test(path)) return;
    const text = store.folder.read(path);
    if (text === null) {
      this.#addGap(module, 'unread_file', 'the file is too large, binary or cannot be read');
      return;
    }
    this.#charactersInBatch += text.length;
    const { dependencies, name: own } = store.manifest;
    const { loads, unknown, complete } = loadsIn(text, path, (name) => dependencies.has(name) || name === own);
    if (unknown) this.#addGap(module, 'unknown_dynamic', 'loads a module whose name is computed');
    if (!complete) this.#addGap(module, 'unread_file', 'the file cannot be parsed');
    const placeOf = positionsIn(text);
    for (const { specifier, offset } of loads) this.#addLoad(module, specifier, placeOf(offset).line, level);
    this.#findNames(module, text, new Set(loads.map(({ specifier }) => specifier)), placeOf);
  }

  #addLoad(from: LoadedModule, specifier: ModuleLoad['specifier'], line: number, level: Level): void {
    const { store, path } = from;
    if (typeof specifier !== 'string') this.#addPartial(from, specifier, line, level);
    else if (/^\.{1,2}(?:\/|$)/.test(specifier)) this.#add(from, filesNear(store, path, specifier), line, level);
    else if (specifier.startsWith('#')) this.#add(from, importsOf(store, specifier), line, level);
    else if (!specifier.startsWith('/')) {
      const name = packageOf(specifier)?.name;
      if (name !== undefined) remember(this.#named, store, () => new Set()).add(name);
      level.edges.push({ from, specifier: specifier.includes('!') ? withoutLoaders(specifier) : specifier, line });
      for (const other of browserSpecifiers(store, specifier)) this.#add(from, targetOf(store, other), line, level);
    }
  }

  /** Dependencies, and files of the package, that stand in a string of the file, and that it loads by no call. */
  #findNames(module: LoadedModule, text: string, loads: ReadonlySet<unknown>, placeOf: PlaceOf): void {
    const { store, path } = module;
    const named = this.#named.get(store);
    const others = [...store.manifest.dependencies.keys()].filter(
      (name) => named?.has(name) !== true && !isBuiltin(name),
    );
    const packages = others.length === 0 ? [] : specifiersIn(text, others);
    const files = pathsIn(text).filter(
      ({ specifier }) =>
        !loads.has(specifier) && filesNear(store, path, specifier).files.some((file) => !asset.test(file)),
    );
    for (const { specifier, offset } of [...packages, ...files]) {
      this.possible.push({ from: module, specifier, line: placeOf(offset).line });
    }
  }

  #addPartial(module: LoadedModule, { prefix, suffix }: PartialSpecifier, line: number, level: Level): void {
    const { store, path } = module;
    if (prefix.startsWith('.')) {
      const start = joinPath(folderOf(path), prefix);
      if (start === null) return;
      const isFolder = start !== '' && /[./]$/.test(prefix);
      const candidates = store.folder.matching(isFolder ? `${start}/` : start, suffix);
      const files = candidates.flatMap((candidate) => filesNear(store, '', candidate).files);
      this.#add(module, { files, specifiers: [] }, line, level);
      return;
    }
    const found = packageOf(prefix);
    const names = [...store.manifest.dependencies.keys()].filter((name) => name.startsWith(prefix));
    if (found !== null && found.subpath !== null) {
      // Which of its files is not known, so what these load is not either.
      level.edges.push({ from: module, specifier: found.name, line });
      this.#addGap(module, 'unknown_dynamic', `loads a module whose name begins with ${prefix}`, [found.name]);
    } else this.#addGap(module, 'unknown_dynamic', `loads a module whose name begins with ${prefix}`, names);
  }

  #add(from: LoadedModule, { files, specifiers }: Targets, line: number, level: Level): void {
    for (const file of files) this.#visit({ store: from.store, path: file, from, line }, level);
    for (const specifier of specifiers) level.edges.push({ from, specifier, line });
  }

  #visit(module: LoadedModule, level: Level): void {
    const key = `${module.store.folder.path}\0${module.path}`;
    if (this.#visited.has(key) || this.isFull) return;
    this.#visited.add(key);
    this.modules.push(module);
    level.next.push(module);
  }

  #resolve(from: LoadedModule | Start, specifier: string, line: number | null, level: Level): void {
    const found = packageOf(specifier);
    if (found === null) {
      if (!('store' in from)) return;
      const { store } = from;
      for (const path of filesNear(store, from.path, specifier).files) this.#visit({ store, path, from, line }, level);
      return;
    }
    // Node never looks for a package with the name of a module of its own; a bundler for browsers does.
    if (isBuiltin(specifier) && !('store' in from && from.store.manifest.dependencies.has(found.name))) return;
    this.#enter(from, found.name, found.subpath, line, level);
  }

  #enter(from: LoadedModule | Start, name: string, subpath: string | null, line: number | null, level: Level): void {
    const { stores, nodes } = this.#finder.find(from, name);
    for (const store of stores) {
      const { files, specifiers } = filesOf(store, subpath);
      const programs = 'programs' in from && from.programs ? store.manifest.programs : [];
      const inner = programs.flatMap((program) => filesNear(store, '', program).files);
      for (const path of [...files, ...inner]) this.#visit({ store, path, from, line }, level);
      for (const specifier of specifiers) {
        // Two packages may stand for each other.
        const key = `${store.folder.path}\0\0${specifier}`;
        if (this.#visited.has(key)) continue;
        this.#visited.add(key);
        this.#resolve({ store, path: 'package.json', from, line }, specifier, null, level);
      }
      if (files.length > 0) continue;
      // It is loaded, even where it has no script for the name: a program, types, a style sheet.
      this.#visit({ store, path: 'package.json', from, line }, level);
      if (subpath !== null && !asset.test(subpath))
        this.#addGap({ store, path: 'package.json', from, line }, 'unresolved_import', `has no file for ${subpath}`);
    }
    for (const node of nodes) {
      if (this.#unreadNodes.has(node)) continue;
      this.#unreadNodes.add(node);
      this.unread.push({ node, from, line });
      this.gaps.push({
        kind: 'unread_file',
        file: `node_modules/${node.locked.name}/package.json`,
        line: null,
        detail: `${node.locked.name} ${node.locked.version} cannot be read: ${this.#store.failureOf(node)}`,
        hides: this.#index.below([node], node.locked.peers ?? []),
      });
    }
  }

  /** @param names of the packages that the place can name; all of the package's dependencies where none are given */
  #addGap({ store, path }: LoadedModule, kind: SearchGap['kind'], detail: string, names?: readonly string[]): void {
    const { name, dependencies } = store.manifest;
    const key = `${store.folder.path}\0${kind}\0${names?.join() ?? ''}`;
    if (this.#gapKeys.has(key)) return;
    this.#gapKeys.add(key);
    const hides =
      names === undefined ? this.#index.below(store.nodes, dependencies.values()) : this.#index.below([], names);
    this.gaps.push({ kind, file: `node_modules/${name}/${path}`, line: null, detail: detail.slice(0, 256), hides });
  }
}

function targetOf(store: StoredPackage, specifier: string): Targets {
  return specifier.startsWith('.') ? filesNear(store, '', specifier) : { files: [], specifiers: [specifier] };
}
