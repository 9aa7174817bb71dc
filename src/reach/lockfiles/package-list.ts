import type * as z from 'zod';
import {
  keptUnread,
  maxUnreadParts,
  type UnreadPart,
  type UnreadReason,
  unreadWords,
} from '../../procedures/unread.js';
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
  /** Key of the package whose archive it comes in (npm), where no resolver can replace it; null: not known whether, and in which. */
  readonly bundledIn?: string | null;
  /** All manifests of the project that ask for it; absent where not all are known. */
  readonly asked?: readonly Asker[];
  /** Overrides of the project for packages of this name (npm); absent where there are none. */
  readonly overriddenBy?: readonly Overrider[];
  /** Where the registry has the package (npm); absent where the file does not say. */
  readonly tarball?: Tarball;
  /** The maintainers' words. */
  readonly deprecated: string | null;
  /** Keys of the packages it depends on. */
  readonly dependencies: readonly string[];
  /** The ranges that it asks of them, by their keys; none of those that the file does not say. */
  readonly ranges?: ReadonlyMap<string, string>;
  /** Whether `dependencies` are all of them; absent where the lock file does not know them. */
  readonly graph?: 'complete' | 'incomplete';
}

export interface Skipped {
  readonly reason: string;
  readonly count: number;
}

/** A manifest of the project, relative to the lock file, and the range that it asks for; null: not known. */
export interface Asker {
  readonly file: string;
  readonly range: string | null;
}

/** An override: its file relative to the lock file, its key, the fields around it, and what it says; null: not known. */
export interface Overrider {
  readonly file: string;
  readonly key: string;
  readonly fields: readonly string[];
  readonly value: string | null;
}

/** What a reader finds in a lock file. */
export interface Reading {
  readonly packages: LockedPackage[];
  /** What is no package of a registry, such as the project's own folders. */
  readonly skipped: Skipped[];
  /** What may be a package of a registry and could not be placed, at most `maxUnreadParts`. */
  readonly unread: readonly UnreadPart[];
  /** The tool that writes the file with its version, as far as the file or its manifest says: `pnpm@11.21.0`. */
  readonly tool?: string;
}

/** What a reader knows of something that it cannot place. The ecosystem is the list's own. */
export interface Unplaced {
  readonly name: string | null;
  readonly reason: UnreadReason;
  /** The version, range or address as the file has it. */
  readonly stated?: string | null;
  /** A line (`line 12`) or the path of the entry. */
  readonly at?: string | null;
}

/** A folder of the project itself that a lock file names. */
interface Own extends Pick<Unplaced, 'at'> {
  readonly name: string;
  /** In words, for the list of what is skipped; null for what has no entry of its own. */
  readonly as?: string | null;
}

/** Characters of a text in an unread part (`unreadPart`). */
const maxPartLength = { name: 300, stated: 200, at: 200 } as const;

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
  readonly #unread: UnreadPart[] = [];
  #unreadCount = 0;
  readonly #own = new Map<string, UnreadPart>();

  constructor(file: string, ecosystem: Ecosystem) {
    this.#file = file;
    this.#ecosystem = ecosystem;
  }

  /**
   * Leaves out an entry that is no package of a registry: a folder of the project itself.
   *
   * @param dependencies keys of what the entry depends on, where it is code that the project uses
   */
  skip(reason: string, dependencies: readonly string[] = []): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    for (const key of dependencies) this.#neededBySkipped.add(key);
  }

  /**
   * Leaves out a folder of the project itself, and keeps its name: it may be a copy of a package that advisories name.
   *
   * @param dependencies keys of what the entry depends on
   */
  own({ name, at = null, as = 'is a folder of the project' }: Own, dependencies: readonly string[] = []): void {
    if (as !== null) this.skip(as, dependencies);
    if (!this.#own.has(name)) this.#own.set(name, this.#partOf({ name, reason: 'own', at }));
  }

  /**
   * Keeps an entry that may be a package of a registry and cannot be placed.
   *
   * @param dependencies keys of what the entry depends on
   */
  unread(unplaced: Unplaced, dependencies: readonly string[] = []): void {
    this.skip(unreadWords[unplaced.reason], dependencies);
    this.doubt(unplaced);
  }

  /** Keeps that an entry is not surely what its version says, though it counts as a package: one from Git states its own. */
  doubt(unplaced: Unplaced): void {
    this.#unreadCount += 1;
    if (this.#unread.length < maxUnreadParts) this.#unread.push(this.#partOf(unplaced));
  }

  #partOf({ name, reason, stated = null, at = null }: Unplaced): UnreadPart {
    return {
      ecosystem: this.#ecosystem,
      name: oneLine(name, maxPartLength.name),
      reason,
      stated: oneLine(stated === null ? null : withoutCredentials(stated), maxPartLength.stated),
      at: oneLine(at, maxPartLength.at),
    };
  }

  /** The file names direct packages alone, so any other package of the ecosystem may be installed too. */
  directOnly(): void {
    this.doubt({ name: null, reason: 'direct_only' });
  }

  /**
   * Adds a package. One whose name or version no registry can know is kept as unread.
   *
   * @param at where the file has it, for the unread part
   */
  add({ version, ...found }: FoundPackage, at?: string): void {
    const { key, name, dependencies } = found;
    const unread = (reason: UnreadReason) =>
      this.unread({ name, reason, stated: version ?? null, at: at ?? null }, dependencies);
    if (version === undefined) unread('no_version');
    else if (!packageName.safeParse(name).success) unread('bad_name');
    else if (!packageVersion.safeParse(version).success || !isVersionOf(this.#ecosystem, version)) {
      unread(reasonOfVersion(version));
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
    const unread = [...this.#unread, ...this.#own.values()];
    const count = this.#unreadCount + this.#own.size;
    return { packages, skipped, unread: keptUnread(unread, count, this.#ecosystem) };
  }
}

/** What a text in the place of a version says about where the package comes from. */
function reasonOfVersion(text: string): UnreadReason {
  if (/\$\{/.test(text)) return 'property';
  if (/^(?:git[+:@]|github:|gitlab:|bitbucket:)|\.git(?:#|$)/.test(text)) return 'git';
  if (/^[a-z][a-z+.-]*:\/\//i.test(text)) return 'url';
  return /^(?:file:|link:|portal:|[./])/.test(text) ? 'path' : 'not_a_version';
}

/** The text without the user and password of an address, and without its query: either may hold a token. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//').replace(/\?[^#\s]*/, '');
}

/** The text in one line, at most so many characters; null where nothing is left. */
function oneLine(text: string | null, max: number): string | null {
  const line = text?.replace(/[\s\p{Cc}]+/gu, ' ').trim() ?? '';
  return line === ''
    ? null
    : line
        .slice(0, max)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trim();
}
