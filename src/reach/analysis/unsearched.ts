import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { folderOf } from '../languages/tree-path.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';
import { type CountedGap, type FoundGap, LockfileGaps } from './found-gap.js';
import type { PackageIndex } from './package-index.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** Paths of the files of production that were read, by ecosystem; none where no language of the ecosystem can be read. */
export type SourcesByEcosystem = ReadonlyMap<Ecosystem, readonly string[]>;

export interface Unsearched {
  /** For an entry that no source was searched for: the gap that says so. */
  readonly gapOf: (node: number) => FoundGap | null;
  readonly counted: readonly CountedGap[];
}

/**
 * Finds the entries of lock files for which no source was read: neither in the folder of the lock file, nor elsewhere such
 * that its imports would mean the entry. Source elsewhere counts only where it names a package of the lock file, since a
 * lock file far from any source may as well belong to source that was not read.
 *
 * @param isNamed whether a site names an entry
 */
export function findUnsearched(
  graph: DependencyGraph,
  index: PackageIndex,
  sources: SourcesByEcosystem,
  isNamed: (node: number) => boolean,
): Unsearched {
  const byEcosystem = new Map([...sources].map(([ecosystem, files]) => [ecosystem, foldersWith(files)]));
  const areas = new Map([...byEcosystem].map(([ecosystem, folders]) => [ecosystem, areasOf(index, folders)]));
  const named = new Set<TreeLockfile>();
  for (const [node, { lockfile }] of graph.nodes.entries()) if (isNamed(node)) named.add(lockfile);
  const gaps = new LockfileGaps();
  const found = new Map<number, FoundGap>();
  for (const [node, { lockfile, locked }] of graph.nodes.entries()) {
    const { ecosystem, name } = locked;
    if (byEcosystem.get(ecosystem)?.has(lockfile.folder)) continue;
    const meant = () => {
      const folders = new Set([...index.candidates(packageKey(ecosystem, name)).keys()].map(({ folder }) => folder));
      return (areas.get(ecosystem) ?? []).some((area) => !area.some((folder) => folders.has(folder)));
    };
    if (named.has(lockfile) && meant()) continue;
    const detail = sources.has(ecosystem)
      ? `no source of ${ecosystem} packages' languages in its folder`
      : `the languages of ${ecosystem} packages are not read`;
    found.set(node, gaps.hide(lockfile, { kind: 'no_source', ecosystem, detail }));
  }
  return { gapOf: (node) => found.get(node) ?? null, counted: gaps.counted };
}

/** The folders that the files lie in, and all around those. */
function foldersWith(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = folderOf(file); !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  return folders;
}

/** The different areas of lock files that folders lie in. */
function areasOf(index: PackageIndex, folders: ReadonlySet<string>): readonly (readonly string[])[] {
  return [...new Map([...folders].map((folder) => [index.areaOf(folder).join('\n'), index.areaOf(folder)])).values()];
}
