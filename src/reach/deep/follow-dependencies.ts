import { formatCount } from '../../shared/text/number-text.js';
import type { LoadedPackage, LoadingEvidence } from '../analysis/loading.js';
import type { TreeLockfile } from '../analysis/tree-lockfiles.js';
import type { LoadedFrom, PackageUse, SearchGap } from '../languages/language-reader.js';
import { chainTo, depthOf } from './chains.js';
import type { LoadedModule, Start } from './loaded-modules.js';
import { type LockedNode, LockIndex } from './lock-index.js';
import { PackageStore } from './package-store.js';
import { TarballCache } from './tarball-cache.js';
import { Traversal } from './traversal.js';

export interface FollowInput {
  readonly tree: { readonly root: string };
  readonly lockfiles: readonly TreeLockfile[];
  /** What the reader of JavaScript found, and mentions of npm's packages that others found. */
  readonly uses: readonly PackageUse[];
  /** Each reached file of JavaScript, with the place that loads it. */
  readonly reachedFiles: ReadonlyMap<string, LoadedFrom | null>;
  /** Places of the tree's own code that could not be followed: what they hide may be loaded. */
  readonly gaps: readonly SearchGap[];
  /** Where tarballs of packages that are not installed are kept; null where nothing is to be downloaded. */
  readonly cacheFolder: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: (step: string) => void;
}

type Gap = LoadingEvidence['gaps'][number];

/**
 * Follows the imports of reached code into the packages of npm, file by file, as Node and bundlers resolve them: which
 * packages are loaded, and on which way. No code of a package is executed. Types load nothing. Of conditions in `exports`,
 * and of builds for Node and for browsers, all count.
 *
 * Packages are read where they are installed, at the version of the lock file, in Yarn's cache, or with `cacheFolder` from
 * the tarballs that the lock file names. One that cannot be had is loaded all the same, and hides what is below it.
 *
 * What is only named, in a string of the tree or of a package, may be loaded: with all that it loads, it is in `gaps`.
 * Where no entry point is known, nothing is followed.
 */
export async function followDependencies(input: FollowInput): Promise<LoadingEvidence> {
  const { tree, lockfiles, uses, reachedFiles, cacheFolder, env, progress } = input;
  const index = new LockIndex(lockfiles);
  const nothing: LoadingEvidence = { kind: 'installed', loaded: [], followed: [], gaps: [] };
  if (index.locks.length === 0 || reachedFiles.size === 0) return nothing;
  const store = new PackageStore(tree.root, index, cacheFolder === null ? null : new TarballCache(cacheFolder, env));
  const traversal = new Traversal(tree.root, index, store);
  const show = (files: number) => progress(`following packages: ${formatCount(files)} files`);
  try {
    const depth = (file: string) => depthOf(reachedFiles, file);
    await traversal.follow(startsOf(uses, isLoad, depth), [], show);
    const loaded = loadedPackages(traversal, reachedFiles);
    const known = { modules: traversal.modules.length, unread: traversal.unread.length };
    await followPossible(traversal, [...startsOf(uses, mayLoad, depth), ...hiddenStarts(input.gaps, index)], show);
    const isLoaded = new Set(loaded.map(({ name, version }) => `${name}@${version}`));
    const gaps = [...traversal.gaps, ...possibleGaps(traversal, known), ...unstartedLocks(index, reachedFiles)].flatMap(
      (gap): Gap[] => {
        const open = [...gap.hides].filter(({ locked }) => !isLoaded.has(`${locked.name}@${locked.version}`));
        const hides = [...new Set(open.map(({ locked }) => locked.name))].sort();
        return hides.length === 0 ? [] : [{ ...gap, hides, ecosystem: 'npm' }];
      },
    );
    return { ...nothing, loaded, followed: traversal.isFull ? [] : ['npm'], gaps };
  } finally {
    await store.close();
  }
}

/** An import of code that an entry point reaches. */
function isLoad({ site }: PackageUse): boolean {
  return isProduction({ site }) && site.kind !== 'mention' && site.reached;
}

/** An import of code that no entry point is known to reach, or a mention. */
function mayLoad({ site }: PackageUse): boolean {
  return site.kind === 'mention'
    ? site.role === 'prod' || site.role === 'config'
    : isProduction({ site }) && !site.reached;
}

function isProduction({ site }: Pick<PackageUse, 'site'>): boolean {
  return site.role === 'prod' && !site.typeOnly && !site.mock;
}

/** One start for each package and subpath of a folder: the nearest to an entry point. */
function startsOf(
  uses: readonly PackageUse[],
  counts: (use: PackageUse) => boolean,
  depth: (file: string) => number,
): readonly Start[] {
  const starts = new Map<string, Start>();
  for (const use of uses) {
    if (use.ecosystem !== 'npm' || !counts(use)) continue;
    const { file, line, subpath, kind } = use.site;
    const key = [file.slice(0, file.lastIndexOf('/') + 1), use.packageName, subpath ?? '', kind === 'mention'].join(
      '\0',
    );
    const start = { file, line, name: use.packageName, subpath, programs: kind === 'mention', depth: depth(file) };
    const known = starts.get(key);
    if (known === undefined || start.depth < known.depth) starts.set(key, start);
  }
  return [...starts.values()];
}

/** The packages that the tree's own code may load in a way that could not be followed. */
function hiddenStarts(gaps: readonly SearchGap[], { locks }: LockIndex): readonly Start[] {
  const known = new Set(locks.flatMap(({ byName }) => [...byName.keys()]));
  return gaps.flatMap(({ file, line, hides }) =>
    (hides === 'any' ? [] : hides)
      .filter((name) => known.has(name))
      .map((name) => ({ file, line, name, subpath: null, programs: true, depth: 0 })),
  );
}

/** Follows what may be loaded, and what that may load, until there is no more. */
async function followPossible(
  traversal: Traversal,
  starts: readonly Start[],
  show: (files: number) => void,
): Promise<void> {
  for (let waiting = starts; ; waiting = []) {
    const possible = traversal.possible;
    traversal.possible = [];
    if (waiting.length === 0 && possible.length === 0) return;
    await traversal.follow(waiting, possible, show);
  }
}

function loadedPackages({ modules, unread }: Traversal, reachedFiles: FollowInput['reachedFiles']): LoadedPackage[] {
  const loaded = new Map<string, LoadedPackage>();
  const add = (node: LockedNode, chain: () => LoadedPackage['chain']) => {
    const { name, version } = node.locked;
    const key = `${name}@${version}`;
    if (!loaded.has(key)) loaded.set(key, { ecosystem: 'npm', name, version, chain: chain() });
  };
  for (const module of modules) {
    for (const node of module.store.nodes) add(node, () => chainTo(module, reachedFiles));
  }
  for (const one of unread) add(one.node, () => chainTo(one, reachedFiles));
  return [...loaded.values()];
}

/** For each place that may load packages, those that nothing else loads. */
function possibleGaps({ modules, unread }: Traversal, known: { readonly modules: number; readonly unread: number }) {
  const certain = new Set(modules.slice(0, known.modules));
  const groups = new Map<LoadedModule | Start, { line: number | null; name: string; hides: Set<LockedNode> }>();
  const add = (first: Pick<LoadedModule, 'from' | 'line'>, firstName: string, nodes: readonly LockedNode[]) => {
    let at = first;
    let name = firstName;
    for (let from = at.from; 'store' in from && !certain.has(from); from = at.from) {
      at = from;
      name = from.store.manifest.name;
    }
    const group = groups.get(at.from) ?? { line: at.line, name, hides: new Set() };
    groups.set(at.from, group);
    for (const node of nodes) group.hides.add(node);
  };
  for (const module of modules.slice(known.modules)) add(module, module.store.manifest.name, module.store.nodes);
  for (const one of unread.slice(known.unread)) add(one, one.node.locked.name, [one.node]);
  return [...groups].map(([from, { line, name, hides }]) => ({
    kind: 'unknown_dynamic' as const,
    file: 'store' in from ? `node_modules/${from.store.manifest.name}/${from.path}` : from.file,
    line: 'store' in from ? line : from.line,
    detail: `may load ${name}`.slice(0, 256),
    hides,
  }));
}

/** Lock files that no reached file lies under: nothing of them was followed. */
function unstartedLocks(index: LockIndex, reachedFiles: FollowInput['reachedFiles']) {
  const started = new Set([...reachedFiles.keys()].map((file) => index.lockOf(file)));
  return index.locks
    .filter((lock) => !started.has(lock))
    .map(({ path, byKey }) => ({
      kind: 'no_source' as const,
      file: path,
      line: null,
      detail: 'no entry point lies below this lock file',
      hides: new Set(byKey.values()),
    }));
}
