import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { folderOf, isWithin } from '../languages/tree-path.js';
import { addTo } from '../lockfiles/group-by.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { remember } from '../remember.js';
import { type DependencyGraph, packageKey } from './dependency-graph.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** An entry of a lock file, as an import may mean it. */
export interface Candidate {
  /** Index in the graph's `nodes`. */
  readonly node: number;
  /** The project asks for it, or the lock file does not say. */
  readonly direct: boolean;
  /** An import in or below one of these folders finds it. They are relative to the lock file's; none where not known. */
  readonly homes: readonly string[];
}

/** The entries of one package, by their lock file. */
export type CandidatesByLockfile = ReadonlyMap<TreeLockfile, readonly Candidate[]>;

/** The entries of all lock files by their package, and the lock files that decide for a folder. */
export class PackageIndex {
  readonly #byPackage = new Map<string, Map<TreeLockfile, [Candidate, ...Candidate[]]>>();
  readonly #packagesOf = new Map<Ecosystem, Set<string>>();
  readonly #lockFolders: ReadonlySet<string>;
  readonly #areas = new Map<string, readonly string[]>();

  constructor({ nodes }: DependencyGraph) {
    for (const [node, { lockfile, locked }] of nodes.entries()) {
      const key = packageKey(locked.ecosystem, locked.name);
      const inFiles = remember(this.#byPackage, key, () => new Map());
      addTo(inFiles, lockfile, { node, direct: locked.direct !== false, homes: homesOf(locked) });
      remember(this.#packagesOf, locked.ecosystem, () => new Set()).add(key);
    }
    this.#lockFolders = new Set(nodes.map(({ lockfile }) => lockfile.folder));
  }

  /** Keys of an ecosystem's packages, as `packageKey` makes them. */
  packagesOf(ecosystem: Ecosystem): ReadonlySet<string> {
    return this.#packagesOf.get(ecosystem) ?? new Set();
  }

  candidates(key: string): CandidatesByLockfile {
    return this.#byPackage.get(key) ?? new Map();
  }

  /** The folders with lock files that a folder lies in, the nearest first. One list for all folders with the same. */
  areaOf(folder: string): readonly string[] {
    return remember(this.#areas, folder, () => {
      const above = folder === '' ? [] : this.areaOf(folderOf(folder));
      return this.#lockFolders.has(folder) ? [folder, ...above] : above;
    });
  }
}

/**
 * The entries of a package in the lock files that decide for a folder: those of the nearest folder above it that has the
 * package. Where there is none, those elsewhere in the tree stand in.
 */
export function decidingFor(
  folder: string,
  inFiles: CandidatesByLockfile,
): { readonly above: string | null; readonly candidates: readonly (readonly Candidate[])[] } {
  const above = [...inFiles].filter(([lockfile]) => isWithin(folder, lockfile.folder));
  if (above.length === 0) return { above: null, candidates: [...inFiles.values()] };
  const nearest = Math.max(...above.map(([lockfile]) => lockfile.folder.length));
  // One folder can have several lock files of an ecosystem, each for another environment: all of them are meant.
  // Cargo reads the lock file of the outermost workspace, which no folder inside of it shows.
  const chosen = above.filter(([{ folder: home, kind }]) => home.length === nearest || kind === 'Cargo.lock');
  return { above: folder.slice(0, nearest), candidates: chosen.map(([, candidates]) => candidates) };
}

/** npm: `packages/a` for `packages/a/node_modules/x`; none below another package. pnpm, Yarn and Bun: the workspaces that ask for it. */
function homesOf({ key, ecosystem, asked = [] }: LockedPackage): readonly string[] {
  const [, home] = /^((?:(?!node_modules\/).)*?)\/?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(key) ?? [];
  if (home !== undefined) return [home];
  return ecosystem === 'npm' ? asked.map(({ file }) => folderOf(file)) : [];
}
