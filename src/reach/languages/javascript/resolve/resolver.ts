import { type CompilerOptions, mappedPaths } from '../compiler-options.js';
import { field } from '../loose.js';
import { type Manifest, nearest } from '../manifests.js';
import type { PartialSpecifier } from '../parse/reference.js';
import { folderOf, joined } from '../tree-paths.js';
import { mainsOf, targetsOf } from './exports-field.js';
import type { FileLookup } from './file-lookup.js';
import { isBuiltin, type PackageSpecifier, packageOf, withoutLoaders } from './specifier.js';

/** What a specifier means in a file: files of the tree, a package, both (a path mapping over a package), or neither. */
export interface Resolution {
  readonly files: readonly string[];
  /** By the name that the registry has, where the manifest gives it another. */
  readonly package: PackageSpecifier | null;
  readonly builtin: boolean;
}

/** What resolving looks things up in. */
export interface Surroundings {
  readonly lookup: FileLookup;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly workspaces: ReadonlyMap<string, Manifest>;
  readonly compilerOptions: (folder: string) => CompilerOptions | null;
  /** Whether a package is one that the lock files or a manifest name. */
  readonly isPackage: (name: string) => boolean;
}

const none: Resolution = { files: [], package: null, builtin: false };

/** Aliases of frameworks and scaffolds that no file states in a form that can be read without running it. */
const aliases: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\$lib(?:\/|$)/, ['src/lib/']],
  [/^(?:@|~)\//, ['src/', '', 'app/', 'resources/js/']],
  [/^(?:~~|@@)\//, ['']],
];

/** Resolves specifiers over the list of the tree's files; nothing is asked of the file system. */
export class Resolver {
  readonly #in: Surroundings;
  readonly #cache = new Map<string, Resolution>();

  constructor(surroundings: Surroundings) {
    this.#in = surroundings;
  }

  resolve(specifier: string | PartialSpecifier, from: string): Resolution {
    const folder = folderOf(from);
    if (typeof specifier !== 'string') return this.#resolveComputed(specifier, folder);
    const key = `${folder}\0${specifier}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const resolution = this.#resolve(withoutLoaders(specifier), folder);
    this.#cache.set(key, resolution);
    return resolution;
  }

  #resolve(specifier: string, folder: string): Resolution {
    const { lookup, manifests } = this.#in;
    if (specifier === '') return none;
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return { ...none, files: lookup.files(joined(folder, specifier)) };
    if (specifier.startsWith('/'))
      return { ...none, files: this.#fromRoots(folder, [specifier, `public${specifier}`]) };
    const manifest = nearest(manifests, folder);
    if (specifier.startsWith('#')) return this.#resolveImports(specifier, folder);
    if (specifier.startsWith('node:')) return { ...none, builtin: true };

    const mapped = this.#mapped(specifier, folder);
    const found = packageOf(specifier);
    if (found === null) return { ...none, files: mapped.length > 0 ? mapped : this.#aliased(specifier, folder) };
    const name = registryName(found.name, manifest);
    const isDeclared = manifest?.declared.has(found.name) === true;
    if (isBuiltin(specifier) && !isDeclared) return { ...none, files: mapped, builtin: true };
    const own = this.#inTree(found, manifest);
    const files = mapped.length > 0 ? mapped : own;
    // Where a path mapping lies over a package, which of both is meant is for the build to say.
    const isPackage = this.#in.isPackage(name) || (files.length === 0 && !this.#in.workspaces.has(found.name));
    if (isPackage && own.length === 0) return { files, package: { ...found, name }, builtin: false };
    return { ...none, files, package: this.#in.isPackage(name) ? { ...found, name } : null };
  }

  /** `paths` and `baseUrl` of the compiler options. */
  #mapped(specifier: string, folder: string): readonly string[] {
    const options = this.#in.compilerOptions(folder);
    if (options === null) return [];
    for (const target of mappedPaths(options, specifier)) {
      const files = this.#in.lookup.files(target);
      if (files.length > 0) return files;
    }
    return options.baseUrl === null ? [] : this.#in.lookup.files(joined(options.baseUrl, specifier));
  }

  /** A workspace of the tree, or the package that the file itself belongs to. */
  #inTree({ name, subpath }: PackageSpecifier, own: Manifest | null): readonly string[] {
    const target = own?.name === name && !own.declared.has(name) ? own : this.#in.workspaces.get(name);
    if (target === undefined || target === null) return [];
    const { lookup } = this.#in;
    const { folder, content } = target;
    const exported = targetsOf(field(content, 'exports'), subpath === null ? '.' : `./${subpath}`);
    const targets = subpath === null ? mainsOf(content) : exported.length > 0 ? exported : [subpath];
    for (const path of targets) {
      const files = lookup.sources(folder, path);
      if (files.length > 0) return files;
    }
    const guesses = subpath === null ? ['src/index', 'index', 'src/main', 'lib/index'] : [`src/${subpath}`, subpath];
    for (const guess of guesses) {
      const files = lookup.files(joined(folder, guess));
      if (files.length > 0) return files;
    }
    return [];
  }

  /** `#name` by the `imports` of the nearest package.json that has some (https://nodejs.org/api/packages.html#subpath-imports). */
  #resolveImports(specifier: string, folder: string): Resolution {
    const own = nearest(this.#in.manifests, folder);
    const targets = own === null ? [] : targetsOf(field(own.content, 'imports'), specifier);
    if (own === null || targets.length === 0) {
      return {
        ...none,
        files: [...this.#mapped(specifier, folder)],
        builtin: /^#(?:imports|app|build|components)\b/.test(specifier),
      };
    }
    const files = targets.flatMap((target) =>
      target.startsWith('.') ? this.#in.lookup.sources(own.folder, target) : [],
    );
    const outside = targets.find((target) => !target.startsWith('.') && !isBuiltin(target));
    const found = outside === undefined ? null : packageOf(outside);
    const isOwn = found !== null && this.#in.workspaces.has(found.name);
    if (found === null || isOwn)
      return { ...none, files: isOwn ? this.#inTree(found, own) : files, builtin: targets.every(isBuiltin) };
    return { files, package: { ...found, name: registryName(found.name, own) }, builtin: false };
  }

  #aliased(specifier: string, folder: string): readonly string[] {
    if (/^\$(?:app|env|service-worker)\b/.test(specifier)) return [];
    for (const [pattern, targets] of aliases) {
      if (!pattern.test(specifier)) continue;
      const rest = specifier.replace(pattern, '');
      return this.#fromRoots(
        folder,
        targets.map((target) => target + rest),
      );
    }
    return [];
  }

  /** The first that is found in the folder of the nearest manifest, or of one further out. */
  #fromRoots(folder: string, paths: readonly string[]): readonly string[] {
    for (let at = folder; ; at = folderOf(at)) {
      if (this.#in.manifests.has(at) || at === '') {
        for (const path of paths) {
          const files = this.#in.lookup.files(joined(at, path));
          if (files.length > 0) return files;
        }
      }
      if (at === '') return [];
    }
  }

  #resolveComputed({ prefix, suffix }: PartialSpecifier, folder: string): Resolution {
    if (prefix.startsWith('.')) {
      const path = joined(folder, prefix);
      if (path === null) return none;
      const start = path !== '' && prefix.endsWith('/') ? `${path}/` : path;
      return { ...none, files: this.#in.lookup.matching(start, suffix) };
    }
    const found = packageOf(prefix);
    // Of `moment/locale/` + name the package is known, of `plugin-` + name it is not.
    if (found === null || found.subpath === null) return none;
    const name = registryName(found.name, nearest(this.#in.manifests, folder));
    return this.#in.isPackage(name) ? { ...none, package: { name, subpath: null } } : none;
  }
}

/** `"old": "npm:lodash@^3"` in a manifest gives lodash the name `old`. */
function registryName(name: string, manifest: Manifest | null): string {
  const range = manifest?.declared.get(name);
  return range?.startsWith('npm:') ? (packageOf(range)?.name ?? name) : name;
}
