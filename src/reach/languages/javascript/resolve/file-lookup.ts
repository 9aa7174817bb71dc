import { fileNameOf, joinPath } from '../../tree-path.js';
import type { Manifest } from '../project/manifests.js';
import { mainsOf } from './exports-field.js';

/** Extensions in the order in which they are tried. A JavaScript file next to a TypeScript file is its output. */
const extensions =
  '.ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro .json .d.ts .es6 .coffee .ls .civet .imba .marko .mdx'.split(
    ' ',
  );

/** Extensions of TypeScript's output, with those of its sources (https://www.typescriptlang.org/docs/handbook/modules/reference.html#file-extension-substitution). */
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
  readonly #sorted: readonly string[];
  readonly #manifests: ReadonlyMap<string, Manifest>;
  /** Those that files of the tree have: each costs a look-up for every import. */
  readonly #extensions: readonly string[];

  constructor(paths: ReadonlySet<string>, manifests: ReadonlyMap<string, Manifest>) {
    this.#paths = paths;
    this.#sorted = [...paths].sort();
    this.#manifests = manifests;
    const present = new Set(this.#sorted.map((path) => path.slice(path.lastIndexOf('.'))));
    this.#extensions = extensions.filter((extension) => present.has(extension.slice(extension.lastIndexOf('.'))));
  }

  /** The files that a path with or without extension means. Several if each platform has its own. */
  files(path: string | null): readonly string[] {
    if (path === null) return [];
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
    for (let at = this.#firstIndex(prefix); found.length < maxMatching; at++) {
      const path = this.#sorted[at];
      if (path === undefined || !path.startsWith(prefix)) break;
      const extension = path.endsWith(suffix) ? '' : extensions.find((other) => path.endsWith(suffix + other));
      if (extension === undefined) continue;
      const name = path.slice(prefix.length, path.length - suffix.length - extension.length);
      if (depth === 'any' || /^[^/]+(?:\/index(?:\.\w+)?)?$/.test(name)) found.push(path);
    }
    return found;
  }

  /** The index of the first sorted path that is not before the prefix. */
  #firstIndex(prefix: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
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
    if (fileNameOf(path) === '') return null;
    for (const extension of this.#extensions) if (this.#paths.has(path + extension)) return path + extension;
    return null;
  }

  #mainOf(folder: string): readonly string[] {
    const manifest = folder === '' ? undefined : this.#manifests.get(folder);
    for (const main of manifest === undefined ? [] : mainsOf(manifest.content)) {
      const path = joinPath(folder, main);
      const found =
        path === null || path === folder ? null : (this.#file(path) ?? this.#withExtension(`${path}/index`));
      if (found !== null) return [found];
    }
    const index = this.#withExtension(folder === '' ? 'index' : `${folder}/index`);
    return index === null ? [] : [index];
  }
}
