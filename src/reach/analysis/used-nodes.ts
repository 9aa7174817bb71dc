import type { PackageUse } from '../languages/language-reader.js';
import { folderOf, isWithin } from '../languages/tree-path.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/**
 * Finds the entries of the lock files that an import means. The nearest folder above the importing file with a lock file
 * that has the package decides. In it, the first of these that gives any entry:
 * 1. npm: the nearest `node_modules` above the file, as Node searches; pnpm: the nearest workspace that asks for it,
 * 2. the versions that the project asks for,
 * 3. every version.
 * Where no lock file above the file has the package, those elsewhere in the tree are used.
 */
export function usedNodesFinder({ nodes }: DependencyGraph): (use: PackageUse) => readonly number[] {
  const byPackage = new Map<string, Map<TreeLockfile, Candidate[]>>();
  for (const [node, { lockfile, locked, direct }] of nodes.entries()) {
    const key = packageKey(locked.ecosystem, locked.name);
    const inFiles = byPackage.get(key) ?? new Map<TreeLockfile, Candidate[]>();
    const candidates = inFiles.get(lockfile) ?? [];
    candidates.push({ node, direct, homes: homesOf(locked) });
    byPackage.set(key, inFiles.set(lockfile, candidates));
  }
  const found = new Map<string, readonly number[]>();
  return ({ ecosystem, packageName, site }) => {
    const key = packageKey(ecosystem, packageName);
    const folder = folderOf(site.file);
    const known = found.get(`${key} ${folder}`);
    if (known !== undefined) return known;
    const inFiles = [...(byPackage.get(key) ?? [])];
    const above = inFiles.filter(([lockfile]) => isWithin(folder, lockfile.folder));
    const nearest = Math.max(...above.map(([lockfile]) => lockfile.folder.length));
    // One folder can have several lock files of an ecosystem, each for another environment: all of them are meant.
    const chosen =
      above.length === 0
        ? inFiles.flatMap(([, candidates]) => choose(candidates, ''))
        : above
            .filter(([lockfile]) => lockfile.folder.length === nearest)
            .flatMap(([, candidates]) => choose(candidates, folder.slice(nearest).replace(/^\//, '')));
    found.set(`${key} ${folder}`, chosen);
    return chosen;
  };
}

interface Candidate {
  /** Index in the graph's `nodes`. */
  readonly node: number;
  readonly direct: boolean;
  /** An import in or below one of these folders finds it. They are relative to the lock file's; none where not known. */
  readonly homes: readonly string[];
}

/** @param folder the importing file's, relative to the lock file's */
function choose(candidates: readonly Candidate[], folder: string): number[] {
  for (let at = folder; ; at = folderOf(at)) {
    const here = candidates.filter(({ homes }) => homes.includes(at));
    if (here.length > 0) return here.map(({ node }) => node);
    if (at === '') break;
  }
  const direct = candidates.filter((candidate) => candidate.direct);
  return (direct.length > 0 ? direct : candidates).map(({ node }) => node);
}

/** pnpm: the workspaces that ask for it. npm: `packages/a` for `packages/a/node_modules/x`; none below another package. */
function homesOf({ key, askedBy }: LockedPackage): readonly string[] {
  if (askedBy !== undefined) return askedBy.map((folder) => (folder === '.' ? '' : folder));
  const [, home] = /^((?:(?!node_modules\/).)*?)\/?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(key) ?? [];
  return home === undefined ? [] : [home];
}
