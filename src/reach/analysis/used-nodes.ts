import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { folderOf } from '../languages/tree-path.js';
import { remember } from '../remember.js';
import { packageKey } from './dependency-graph.js';
import { type Candidate, decidingFor, type PackageIndex } from './package-index.js';

/**
 * Finds the entries of the lock files that an import in a file means. The nearest folder above the file with a lock file
 * that has the package decides. In it, the first of these that gives any entry:
 * 1. npm: the nearest `node_modules` above the file, as Node searches; pnpm: the nearest workspace that asks for it,
 * 2. the versions that the project asks for,
 * 3. every version.
 * Where no lock file above the file has the package, those elsewhere in the tree are used.
 */
export function usedNodesFinder(
  index: PackageIndex,
): (ecosystem: Ecosystem, packageName: string, file: string) => readonly number[] {
  const found = new Map<string, readonly number[]>();
  return (ecosystem, packageName, file) => {
    const key = packageKey(ecosystem, packageName);
    const folder = folderOf(file);
    return remember(found, `${key} ${folder}`, () => {
      const { above, candidates } = decidingFor(folder, index.candidates(key));
      const below = above === null ? '' : folder.slice(above.length).replace(/^\//, '');
      return candidates.flatMap((each) => choose(each, below));
    });
  };
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
