import type * as z from 'zod';
import type { scope } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageName, packageVersion } from '../../shared/packages/package-name.js';
import { LockfileError } from './source.js';
import { isVersionOf } from './version-shape.js';

export type Scope = z.infer<typeof scope>;

/** A package's archive in its registry, as a lock file records it. */
export interface Tarball {
  /** Null where the file names none: then it is the default registry's. */
  readonly url: string | null;
  /** Digests of its bytes (https://www.w3.org/TR/SRI/), separated by spaces. */
  readonly integrity: string | null;
}

/** One package of a lock file, at one version. */
export interface LockedPackage {
  /** Unique in its lock file: for npm the place in node_modules, for the others mostly name and version. */
  readonly key: string;
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** Runtime, unless the lock file and its manifest show that it is only for development or only optional. */
  readonly scope: Scope;
  /** Whether the project itself asks for it; null where neither the lock file nor a manifest shows it. */
  readonly direct: boolean | null;
  /** Installed only because another package expects it as a peer (npm). */
  readonly peer?: boolean;
  /** Its peers (npm), optional ones included; absent where the file does not list them. */
  readonly peers?: readonly string[];
  /**
   * What brings it in may not be in the list: an entry that no registry has (a package from Git), or a package of Yarn 1 whose
   * peers are not known.
   */
  readonly hasHiddenDependents?: true;
  /** Key of the package whose archive it comes in (npm). No resolver can replace it there. */
  readonly bundledIn?: string;
  /** The project's folders that ask for it, relative to the lock file's; absent where the file does not list them. */
  readonly askedBy?: readonly string[];
  /** Where the registry has the package (npm); absent where the file does not say. */
  readonly tarball?: Tarball;
  /** The maintainers' words. */
  readonly deprecated: string | null;
  /** Keys of the packages it depends on. */
  readonly dependencies: readonly string[];
  /** Whether `dependencies` are all of them; absent where the lock file does not know them. */
  readonly graph?: 'complete' | 'incomplete';
}

export interface Skipped {
  readonly reason: string;
  readonly count: number;
}

/** What a reader finds in a lock file. */
export interface Reading {
  readonly packages: LockedPackage[];
  readonly skipped: Skipped[];
}

/** A package as a lock file lists it. Deprecation and dependencies are absent where the file does not know them. */
type FoundPackage = Omit<LockedPackage, 'ecosystem' | 'version' | 'deprecated' | 'dependencies'> &
  Partial<Pick<LockedPackage, 'deprecated' | 'dependencies'>> & { readonly version: string | undefined };

/** Twice what one sync accepts: no project has more. */
const maxEntries = 200_000;

/** Collects the packages of one file, and counts the entries that no registry has, by reason. */
export class PackageList {
  readonly #file: string;
  readonly #ecosystem: Ecosystem;
  readonly #packages = new Map<string, LockedPackage>();
  readonly #skipped = new Map<string, number>();
  readonly #neededBySkipped = new Set<string>();

  constructor(file: string, ecosystem: Ecosystem) {
    this.#file = file;
    this.#ecosystem = ecosystem;
  }

  /** @param dependencies keys of what the entry depends on, where it is code that the project uses */
  skip(reason: string, dependencies: readonly string[] = []): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    for (const key of dependencies) this.#neededBySkipped.add(key);
  }

  /** Adds a package, or skips it where no registry can know its name or version. */
  add({ version, ...found }: FoundPackage): void {
    const { key, name, dependencies } = found;
    if (version === undefined) this.skip('has no version in the file', dependencies);
    else if (!packageName.safeParse(name).success) this.skip('has no valid package name', dependencies);
    else if (!packageVersion.safeParse(version).success || !isVersionOf(this.#ecosystem, version)) {
      this.skip('comes from a URL or a folder, without a version of its ecosystem', dependencies);
    } else if (this.#packages.size >= maxEntries) {
      throw new LockfileError(
        this.#file,
        `lists more than ${maxEntries} packages: expected the lock file of one project`,
      );
    } else {
      const unknown = { deprecated: null, dependencies: [] };
      const graph = found.dependencies === undefined ? {} : ({ graph: 'complete' } as const);
      this.#packages.set(key, { ...unknown, ...graph, ...found, ecosystem: this.#ecosystem, version });
    }
  }

  /** The packages in the file's order. Dependencies that are not among them are dropped. */
  finish(): Reading {
    const packages = [...this.#packages.values()].map((found) => {
      const wanted = new Set(found.dependencies);
      const dependencies = [...wanted].filter((key) => this.#packages.has(key));
      const isWhole = dependencies.length === wanted.size;
      return {
        ...found,
        dependencies,
        ...(found.graph && { graph: isWhole ? found.graph : 'incomplete' }),
        ...(this.#neededBySkipped.has(found.key) && { hasHiddenDependents: true as const }),
      };
    });
    const skipped = [...this.#skipped].map(([reason, count]) => ({ reason, count }));
    return { packages, skipped };
  }
}
