import type * as z from 'zod';
import type { scope } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageName, packageVersion } from '../../shared/packages/package-name.js';
import { LockfileError } from './source.js';
import { isVersionOf } from './version-shape.js';

export type Scope = z.infer<typeof scope>;

/** One package of a lock file, at one version. */
export interface LockedPackage {
  /** Unique in its lock file: the place in the tree for npm, name and version for the others. */
  readonly key: string;
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** Runtime unless the file, with the manifest beside it, shows that it is only for development or only optional. */
  readonly scope: Scope;
  /** Whether the project itself asks for it; null where neither the file nor a manifest beside it tells. */
  readonly direct: boolean | null;
  /** Only there because another package expects it as a peer (npm). */
  readonly peer?: boolean;
  /** Names that it expects its user to bring, those it can do without too (npm's peers); where the file tells. */
  readonly peers?: readonly string[];
  /** Folders of the project that ask for it, relative to the lock file's (`.` for beside it); where the file tells. */
  readonly askedBy?: readonly string[];
  /** The maintainers' words. */
  readonly deprecated: string | null;
  /** Keys of the packages it depends on. */
  readonly dependencies: readonly string[];
}

export interface Skipped {
  readonly reason: string;
  readonly count: number;
}

/** What a reader makes of a lock file. */
export interface Reading {
  readonly packages: LockedPackage[];
  readonly skipped: Skipped[];
}

/** Twice what one sync takes: a file with more is no project's. */
const maxEntries = 200_000;

/** Gathers the packages of one file, and counts by reason what of it is no package of a registry. */
export class PackageList {
  readonly #file: string;
  readonly #ecosystem: Ecosystem;
  readonly #packages = new Map<string, LockedPackage>();
  readonly #skipped = new Map<string, number>();

  constructor(file: string, ecosystem: Ecosystem) {
    this.#file = file;
    this.#ecosystem = ecosystem;
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** Adds a package, or skips what has no name or version that a registry could know. */
  add(found: Omit<LockedPackage, 'ecosystem' | 'version'> & { readonly version: string | undefined }): void {
    const { key, name, version } = found;
    if (version === undefined) this.skip('has no version in the file');
    else if (!packageName.safeParse(name).success) this.skip('has no valid package name');
    else if (!packageVersion.safeParse(version).success || !isVersionOf(this.#ecosystem, version)) {
      this.skip('comes from a URL or a folder, without a version of its ecosystem');
    } else if (this.#packages.size >= maxEntries) {
      throw new LockfileError(
        this.#file,
        `lists more than ${maxEntries} packages: expected the lock file of one project`,
      );
    } else this.#packages.set(key, { ...found, ecosystem: this.#ecosystem, version });
  }

  /** The packages in the file's order; each dependency is one of them. */
  finish(): Reading {
    const packages = [...this.#packages.values()].map((found) => ({
      ...found,
      dependencies: [...new Set(found.dependencies)].filter((key) => this.#packages.has(key)),
    }));
    const skipped = [...this.#skipped].map(([reason, count]) => ({ reason, count }));
    return { packages, skipped };
  }
}
