import type { PackageUse } from '../languages/language-reader.js';
import { folderOf, isWithin } from '../languages/tree-path.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/**
 * Which entries of the lock files an import means. The nearest lock file above the importing file that has the package
 * decides, and in it
 * 1. npm: the nearest `node_modules` above the file, as Node searches; pnpm: the nearest workspace that asks for it,
 * 2. else the versions that the project asks for,
 * 3. else every version: nothing tells them apart.
 * Where no lock file above the file has it, those elsewhere in the tree stand in.
 */
export function createResolver({ nodes }: DependencyGraph): (use: PackageUse) => readonly number[] {
  const byPackage = new Map<string, Map<TreeLockfile, Candidate[]>>();
  for (const [place, { lockfile, locked, direct }] of nodes.entries()) {
    const key = packageKey(locked.ecosystem, locked.name);
    const inFiles = byPackage.get(key) ?? new Map<TreeLockfile, Candidate[]>();
    const candidates = inFiles.get(lockfile) ?? [];
    candidates.push({ place, direct, homes: homesOf(locked) });
    byPackage.set(key, inFiles.set(lockfile, candidates));
  }
  const resolved = new Map<string, readonly number[]>();
  return ({ ecosystem, packageName, site }) => {
    const key = packageKey(ecosystem, packageName);
    const folder = folderOf(site.file);
    const known = resolved.get(`${key} ${folder}`);
    if (known !== undefined) return known;
    const inFiles = [...(byPackage.get(key) ?? [])];
    const [nearest] = inFiles
      .filter(([lockfile]) => isWithin(folder, lockfile.folder))
      .sort(([a], [b]) => b.folder.length - a.folder.length);
    const chosen =
      nearest === undefined
        ? inFiles.flatMap(([, candidates]) => choose(candidates, ''))
        : choose(nearest[1], folder.slice(nearest[0].folder.length).replace(/^\//, ''));
    resolved.set(`${key} ${folder}`, chosen);
    return chosen;
  };
}

interface Candidate {
  readonly place: number;
  readonly direct: boolean;
  /** Folders, relative to the lock file's, from which and from below which an import finds it; none where nothing tells. */
  readonly homes: readonly string[];
}

/** @param folder of the importing file, relative to the lock file's */
function choose(candidates: readonly Candidate[], folder: string): number[] {
  for (let at = folder; ; at = folderOf(at)) {
    const here = candidates.filter(({ homes }) => homes.includes(at));
    if (here.length > 0) return here.map(({ place }) => place);
    if (at === '') break;
  }
  const direct = candidates.filter((candidate) => candidate.direct);
  return (direct.length > 0 ? direct : candidates).map(({ place }) => place);
}

/** Where npm installs it (`packages/a/node_modules/x`), unless below another package; or the workspaces that ask for it. */
function homesOf({ key, askedBy }: LockedPackage): readonly string[] {
  if (askedBy !== undefined) return askedBy.map((folder) => (folder === '.' ? '' : folder));
  const [, home] = /^((?:(?!node_modules\/).)*?)\/?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(key) ?? [];
  return home === undefined ? [] : [home];
}
