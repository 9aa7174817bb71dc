import { fileNameOf, inFolder, joinPath } from '../../tree-path.js';
import type { Manifest } from '../project/manifests.js';
import { SortedPaths } from '../sorted-paths.js';
import { mainsOf } from './exports-field.js';

/** Extensions in the order in which they are tried. A JavaScript file next to a TypeScript file is its output. */
const extensions =
  '.ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro .json .d.ts .es6 .coffee .ls .civet .imba .marko .mdx'.split(
    ' ',
  );

/**
 * Extensions of TypeScript's output, with those of its sources
 * (https://www.typescriptlang.org/docs/handbook/modules/reference.html#file-extension-substitution).
 */
const sourceExtensions: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

/** Platforms of React Native and server frameworks; each may have its own file for one module. */
const platforms = ['.web', '.native', '.ios', '.android', '.client', '.server'];

const outputFolder = /^(?:dist|build|lib|out|es|esm|cjs|umd|output|\.output|compiled)\//;
const sourceFolders = ['', 'src/', 'source/', 'app/', 'server/', 'lib/'];

/** Limit of the files that one computed specifier may mean. */
const maxMatching = 2000;

/** Limit of output folders in one path: `dist/esm/lib/`. */
const maxOutputFolders = 3;

/** Finds the files of the tree that a path in a specifier means. */
export class FileLookup {
  readonly #paths: ReadonlySet<string>;
  readonly #sorted: SortedPaths;
  readonly #manifests: ReadonlyMap<string, Manifest>;
  /** The file that a path without extension means: of several, the one whose extension is tried first. */
  readonly #byStem: ReadonlyMap<string, string>;

  constructor(paths: ReadonlySet<string>, manifests: ReadonlyMap<string, Manifest>) {
    this.#paths = paths;
    this.#sorted = new SortedPaths(paths);
    this.#manifests = manifests;
    this.#byStem = filesByStem(paths);
  }

  /** The files that a path with or without extension means. Several if each platform has its own. */
  files(path: string | null): readonly string[] {
    if (path === null) return [];
    // `types/` means the folder, as `types` does.
    if (path.endsWith('/')) return this.#mainOf(path.replace(/\/+$/, ''));
    const file = this.#file(path);
    if (file !== null) return [file];
    const forPlatforms = platforms.flatMap((platform) => this.#withExtension(`${path}${platform}`) ?? []);
    if (forPlatforms.length > 0) return forPlatforms;
    return this.#mainOf(path);
  }

  /** The files that a path in a package.json means. For the output of a build, its sources. */
  sources(folder: string, target: string): readonly string[] {
    const path = joinPath(folder, target);
    const found = this.files(path);
    if (found.length > 0 || path === null) return found;
    let rest = folder === '' ? path : path.slice(folder.length + 1);
    for (let depth = 0; depth < maxOutputFolders && outputFolder.test(rest); depth++) {
      rest = rest.replace(outputFolder, '');
      const stem = rest.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '');
      for (const source of sourceFolders) {
        const sources = this.files(joinPath(folder, `${source}${stem}`));
        if (sources.length > 0) return sources;
      }
    }
    return [];
  }

  /**
   * Files that `prefix` + a name + `suffix` may mean, with or without extension. The name may be a folder with an index
   * file. With `depth` `any`, the name may contain folders.
   */
  matching(prefix: string, suffix: string, depth: 'one name' | 'any' = 'one name'): readonly string[] {
    const found: string[] = [];
    for (const path of this.#sorted.startingWith(prefix)) {
      if (found.length >= maxMatching) break;
      const extension = path.endsWith(suffix) ? '' : extensions.find((other) => path.endsWith(suffix + other));
      if (extension === undefined) continue;
      const name = path.slice(prefix.length, path.length - suffix.length - extension.length);
      if (depth === 'any' || /^[^/]+(?:\/index(?:\.\w+)?)?$/.test(name)) found.push(path);
    }
    return found;
  }

  #file(path: string): string | null {
    if (this.#paths.has(path)) return path;
    const extension = path.slice(path.lastIndexOf('.'));
    const stem = path.slice(0, path.length - extension.length);
    for (const source of Object.hasOwn(sourceExtensions, extension) ? (sourceExtensions[extension] ?? []) : []) {
      if (this.#paths.has(stem + source)) return stem + source;
    }
    return this.#withExtension(path);
  }

  #withExtension(path: string): string | null {
    return fileNameOf(path) === '' ? null : (this.#byStem.get(path) ?? null);
  }

  #mainOf(folder: string): readonly string[] {
    const manifest = this.#manifests.get(folder);
    for (const main of manifest === undefined ? [] : mainsOf(manifest.content)) {
      const path = joinPath(folder, main);
      const found =
        path === null || path === folder ? null : (this.#file(path) ?? this.#withExtension(`${path}/index`));
      if (found !== null) return [found];
    }
    const index = this.#withExtension(inFolder(folder, 'index'));
    return index === null ? [] : [index];
  }
}

const extensionOrder = new Map(extensions.map((extension, at) => [extension, at]));

function filesByStem(paths: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, { readonly path: string; readonly order: number }>();
  for (const path of paths) {
    const last = path.lastIndexOf('.');
    // `.d.ts` is one extension, and `.ts` after a name that ends with `.d`.
    for (const dot of path.endsWith('.d.ts') ? [last, last - '.d'.length] : [last]) {
      const order = dot === -1 ? undefined : extensionOrder.get(path.slice(dot));
      const stem = path.slice(0, dot);
      const known = found.get(stem);
      if (order !== undefined && (known === undefined || order < known.order)) found.set(stem, { path, order });
    }
  }
  return new Map(Array.from(found, ([stem, { path }]) => [stem, path]));
}
