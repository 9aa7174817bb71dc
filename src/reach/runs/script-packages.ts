import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TreeLockfile } from '../analysis/tree-lockfiles.js';
import { LockIndex } from '../deep/lock-index.js';
import { PackageFolder } from '../deep/package-folder.js';
import { readManifest } from '../deep/package-manifest.js';
import { remember } from '../remember.js';

export interface RunPackage {
  readonly name: string;
  /** Null where the recording does not show it. */
  readonly version: string | null;
}

const named = /^((?:@[^/]+\/)?[^/@][^/]*)(?:\/|$)/;

/**
 * Finds the package of a file that a run loaded. The run may have been elsewhere, as in a container: only what follows the
 * first `node_modules/` is compared with the tree and its lock files. Null for a file of no package that they name.
 */
export function scriptPackageFinder(
  root: string,
  lockfiles: readonly TreeLockfile[],
): (url: string) => RunPackage | null {
  const index = new LockIndex(lockfiles);
  const manifests = new Map<string, RunPackage | null>();
  const installedAt = (place: string) =>
    remember(manifests, place, () => {
      const real = realPathBelow(root, place);
      const manifest = real === null ? null : readManifest(new PackageFolder(real));
      return manifest && { name: manifest.name, version: manifest.version };
    });
  const isLocked = ({ name, version }: RunPackage) =>
    version === null ? index.locks.some(({ byName }) => byName.has(name)) : index.withVersion(name, version).length > 0;
  return (url) => {
    const path = pathOf(url);
    const last = path === null ? -1 : path.lastIndexOf('/node_modules/');
    if (path === null || last === -1) return null;
    const spelled = named.exec(path.slice(last + '/node_modules/'.length))?.[1];
    if (spelled === undefined) return null;
    const end = last + '/node_modules/'.length + spelled.length;
    const place = path.slice(path.indexOf('/node_modules/') + 1, end);
    const fromTree = path.startsWith(`${root}/`) ? path.slice(root.length + 1, end) : null;
    const locked = index.locks.flatMap(({ byPlace, byKey }) => (byPlace ? (byKey.get(place)?.locked ?? []) : []));
    const archive =
      /\/(?:\.pnpm|cache)\/(?:@[^/+-]+[+-])?[^/]*?(?:@|-npm-)(\d[^/_()-]*(?:-[a-z][\w.]*)?)[^/]*\/node_modules\//.exec(
        path,
      )?.[1];
    const candidates = [
      ...(fromTree === null ? [] : [installedAt(fromTree)]),
      ...(archive === undefined ? [] : [{ name: spelled, version: archive }]),
      ...(locked[0] === undefined ? [] : [{ name: locked[0].name, version: locked[0].version }]),
      installedAt(place),
      { name: spelled, version: null },
    ];
    return candidates.find((candidate) => candidate !== null && isLocked(candidate)) ?? null;
  };
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url).split(sep).join('/');
  } catch {
    return null;
  }
}

function realPathBelow(root: string, place: string): string | null {
  try {
    const real = realpathSync(join(root, place));
    return real.startsWith(root + sep) ? real : null;
  } catch {
    return null;
  }
}
