import { remember } from '../../../remember.js';
import { folderOf, inFolder, joinPath } from '../../tree-path.js';
import { field } from '../json-values.js';
import type { PartialSpecifier } from '../parse/reference.js';
import { type CompilerOptions, mappedPaths } from '../project/compiler-options.js';
import { type Manifest, nearest, registryName } from '../project/manifests.js';
import { type Alias, aliasTarget } from './bundler-aliases.js';
import { mainsOf, targetsOf } from './exports-field.js';
import type { FileLookup } from './file-lookup.js';
import { isBuiltin, type PackageSpecifier, packageOf, withoutLoaders } from './specifier.js';

/** The target of a specifier: files of the tree, a package, both (a path mapping with a package's name), or neither. */
export interface Resolution {
  readonly files: readonly string[];
  /** With the registry's name, even if the manifest declares the package by another name. */
  readonly package: PackageSpecifier | null;
  readonly builtin: boolean;
  /** True where the project gives the name to a file of its own, and no such file is in the tree. */
  readonly isMissing?: boolean;
}

export interface ResolverContext {
  readonly lookup: FileLookup;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly workspaces: ReadonlyMap<string, Manifest>;
  readonly compilerOptions: (folder: string) => CompilerOptions | null;
  /** The aliases of build configurations, by folder. */
  readonly aliases: ReadonlyMap<string, readonly Alias[]>;
  /** Whether a lock file or a manifest names the package. */
  readonly isPackage: (name: string) => boolean;
}

const unresolved: Resolution = { files: [], package: null, builtin: false };

/** Aliases that frameworks and project templates define in code, or not in the project at all. */
const aliases: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\$lib(?:\/|$)/, ['src/lib/']],
  [/^(?:@|~)\//, ['src/', '', 'app/', 'resources/js/']],
  [/^(?:~~|@@)\//, ['']],
];

/** Folders that a project's own names usually begin in. */
const sourceRoots = ['', 'src/', 'app/', 'resources/js/', 'client/', 'client/src/', 'lib/'];

/** Folders of build configurations. */
const configFolders = [
  'build',
  'config',
  'webpack',
  '.storybook',
  'configs',
  'scripts',
  '.electron-vue',
  '.erb/configs',
];

/** `*` maps everything, packages too. */
function withoutCatchAll(options: CompilerOptions): CompilerOptions {
  return { ...options, paths: options.paths.filter(({ pattern }) => pattern !== '*') };
}

/** Resolves specifiers with the list of the tree's files, without the file system. */
export class Resolver {
  readonly #context: ResolverContext;
  readonly #cache = new Map<string, Resolution>();
  readonly #guesses = new Map<string, readonly string[]>();

  constructor(context: ResolverContext) {
    this.#context = context;
  }

  resolve(specifier: string | PartialSpecifier, from: string): Resolution {
    const folder = folderOf(from);
    if (typeof specifier !== 'string') return this.#resolvePartial(specifier, folder);
    const key = `${folder}\0${specifier}`;
    return remember(this.#cache, key, () => this.#resolve(withoutLoaders(specifier), folder));
  }

  #resolve(specifier: string, folder: string): Resolution {
    if (specifier === '') return unresolved;
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return { ...unresolved, files: this.#relative(specifier, folder) };
    if (specifier.startsWith('/'))
      return { ...unresolved, files: this.#fromRoots(folder, [specifier, `public${specifier}`]) };
    if (specifier.startsWith('#')) return this.#resolveImports(specifier, folder);
    return specifier.startsWith('node:') ? { ...unresolved, builtin: true } : this.#resolveName(specifier, folder);
  }

  #resolveName(specifier: string, folder: string): Resolution {
    const { manifests, workspaces, isPackage } = this.#context;
    const mapped = this.#mapped(specifier, folder);
    const found = packageOf(specifier);
    if (found === null) return { ...unresolved, files: mapped.length > 0 ? mapped : this.#aliased(specifier, folder) };
    const manifest = nearest(manifests, folder);
    const named = { ...found, name: registryName(found.name, manifest?.declared.get(found.name)) };
    const isKnown = isPackage(named.name) || workspaces.has(found.name);
    if (isBuiltin(specifier)) {
      // A bundler's configuration may give a module of Node.js to nothing; on a server it is still that module.
      if (manifest?.declared.has(found.name) !== true) return { ...unresolved, files: mapped, builtin: true };
    } else if (mapped.length === 0 && !isKnown) {
      const own = this.#resolveOwn(specifier, folder, manifest?.folder ?? '');
      if (own !== null) return own;
    }
    const files = mapped.length > 0 ? mapped : this.#inTree(found, manifest);
    // If a path mapping has a package's name, both count: only the build knows which one it takes.
    const mayBePackage = isPackage(named.name) || (files.length === 0 && !workspaces.has(found.name));
    return { ...unresolved, files, package: mayBePackage ? named : null };
  }

  /** A name that the project gives to a file of its own; null where nothing says so. */
  #resolveOwn(specifier: string, folder: string, root: string): Resolution | null {
    const files = remember(this.#guesses, `${root}\0${specifier}`, () => this.#guessed(specifier, root));
    if (files.length > 0) return { ...unresolved, files };
    return this.#isAlias(specifier, folder) ? { ...unresolved, isMissing: true } : null;
  }

  /** A path from the file's folder. What a build writes there means its sources. */
  #relative(specifier: string, folder: string): readonly string[] {
    const { lookup, manifests } = this.#context;
    const path = joinPath(folder, specifier);
    const files = lookup.files(path);
    if (files.length > 0 || path === null) return files;
    const root = nearest(manifests, folder)?.folder ?? '';
    const prefix = inFolder(root, '');
    return path.startsWith(prefix) ? lookup.sources(root, path.slice(prefix.length)) : [];
  }

  /** The files that an alias without a package's name may mean: `components/a`, `@components/a`, `@site/src/a`. */
  #guessed(specifier: string, folder: string): readonly string[] {
    if (!specifier.includes('/')) return [];
    const bare = specifier.replace(/^[@~$#]+\/?/, '');
    const rest = /^(?:site|root|project|base|app|src)\//.test(bare) ? [bare.slice(bare.indexOf('/') + 1)] : [];
    const places = [bare, ...rest].flatMap((path) => sourceRoots.map((root) => root + path));
    return this.#fromRoots(folder, places);
  }

  /** The files that `paths` and `baseUrl` of the compiler options, or a build configuration, map a specifier to. */
  #mapped(specifier: string, folder: string): readonly string[] {
    const files = this.#mappedByCompiler(specifier, folder);
    return files.length > 0 ? files : this.#mappedByBuild(specifier, folder);
  }

  /** Whether a configuration says that names of this kind are files of the project. */
  #isAlias(specifier: string, folder: string): boolean {
    const options = this.#context.compilerOptions(folder);
    const isOfCompiler = options !== null && mappedPaths(withoutCatchAll(options), specifier).length > 0;
    return isOfCompiler || this.#aliasTargets(specifier, folder).length > 0;
  }

  #mappedByBuild(specifier: string, folder: string): readonly string[] {
    for (const target of this.#aliasTargets(specifier, folder)) {
      const files = this.#context.lookup.files(target);
      if (files.length > 0) return files;
    }
    return [];
  }

  /** The paths that build configurations give to a specifier, those of the nearest folder first. */
  #aliasTargets(specifier: string, folder: string): readonly string[] {
    const { aliases } = this.#context;
    const targets: string[] = [];
    if (aliases.size === 0) return targets;
    for (let at = folder; ; at = folderOf(at)) {
      // A configuration often lies in a folder of its own.
      for (const place of [at, ...configFolders.map((name) => inFolder(at, name))]) {
        for (const alias of aliases.get(place) ?? []) {
          const target = aliasTarget(alias, specifier);
          if (target !== null) targets.push(target);
        }
      }
      if (at === '') return targets;
    }
  }

  #mappedByCompiler(specifier: string, folder: string): readonly string[] {
    const options = this.#context.compilerOptions(folder);
    if (options === null) return [];
    for (const target of mappedPaths(options, specifier)) {
      const files = this.#context.lookup.files(target);
      if (files.length > 0) return files;
    }
    return options.baseUrl === null ? [] : this.#context.lookup.files(joinPath(options.baseUrl, specifier));
  }

  /** The files of a workspace, or of the package that the importing file belongs to. */
  #inTree({ name, subpath }: PackageSpecifier, manifest: Manifest | null): readonly string[] {
    const importsItself = manifest?.name === name && !manifest.declared.has(name);
    const target = importsItself ? manifest : this.#context.workspaces.get(name);
    if (target === undefined || target === null) return [];
    const { lookup } = this.#context;
    const { folder, content } = target;
    const exported = targetsOf(field(content, 'exports'), subpath === null ? '.' : `./${subpath}`);
    const targets = subpath === null ? mainsOf(content) : exported.length > 0 ? exported : [subpath];
    for (const path of targets) {
      const files = lookup.sources(folder, path);
      if (files.length > 0) return files;
    }
    const guesses = subpath === null ? ['src/index', 'index', 'src/main', 'lib/index'] : [`src/${subpath}`, subpath];
    for (const guess of guesses) {
      const files = lookup.files(joinPath(folder, guess));
      if (files.length > 0) return files;
    }
    return [];
  }

  /** `#name`, by the `imports` of the nearest package.json (https://nodejs.org/api/packages.html#subpath-imports). */
  #resolveImports(specifier: string, folder: string): Resolution {
    const manifest = nearest(this.#context.manifests, folder);
    const targets = manifest === null ? [] : targetsOf(field(manifest.content, 'imports'), specifier);
    if (manifest === null || targets.length === 0) {
      return {
        ...unresolved,
        files: this.#mapped(specifier, folder),
        builtin: /^#(?:imports|app|build|components)\b/.test(specifier),
      };
    }
    const files = targets.flatMap((target) =>
      target.startsWith('.') ? this.#context.lookup.sources(manifest.folder, target) : [],
    );
    const bare = targets.find((target) => !target.startsWith('.') && !isBuiltin(target));
    const found = bare === undefined ? null : packageOf(bare);
    const isWorkspace = found !== null && this.#context.workspaces.has(found.name);
    if (found === null || isWorkspace) {
      const inTree = isWorkspace ? this.#inTree(found, manifest) : files;
      const builtin = targets.every(isBuiltin);
      return { ...unresolved, files: inTree, builtin, isMissing: inTree.length === 0 && !builtin };
    }
    const name = registryName(found.name, manifest.declared.get(found.name));
    return { files, package: { ...found, name }, builtin: false };
  }

  /** The files of an alias; none for the virtual modules of SvelteKit. */
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

  /** The files of the first path that exists, in the folder of the nearest manifest or of one further up. */
  #fromRoots(folder: string, paths: readonly string[]): readonly string[] {
    for (let at = folder; ; at = folderOf(at)) {
      if (this.#context.manifests.has(at) || at === '') {
        for (const path of paths) {
          const files = this.#context.lookup.files(joinPath(at, path));
          if (files.length > 0) return files;
        }
      }
      if (at === '') return [];
    }
  }

  #resolvePartial({ prefix, suffix }: PartialSpecifier, folder: string): Resolution {
    const { lookup, manifests, isPackage } = this.#context;
    if (prefix.startsWith('.')) {
      const path = joinPath(folder, prefix);
      if (path === null) return unresolved;
      const start = path !== '' && prefix.endsWith('/') ? `${path}/` : path;
      return { ...unresolved, files: lookup.matching(start, suffix) };
    }
    const found = packageOf(prefix);
    // `moment/locale/` + name has a known package, `plugin-` + name has not.
    if (found === null || found.subpath === null) return unresolved;
    const manifest = nearest(manifests, folder);
    const name = registryName(found.name, manifest?.declared.get(found.name));
    return isPackage(name) ? { ...unresolved, package: { name, subpath: null } } : unresolved;
  }
}
