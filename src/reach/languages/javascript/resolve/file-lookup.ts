import type { Manifest } from '../manifests.js';
import { joined, nameIn } from '../tree-paths.js';
import { mainsOf } from './exports-field.js';

/** Extensions in the order in which they are tried. TypeScript comes first: beside it, JavaScript is its output. */
const extensions = [
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.vue',
  '.svelte',
  '.astro',
  '.json',
  '.d.ts',
  '.es6',
];

/** What TypeScript means by an extension that it will only write (https://www.typescriptlang.org/docs/handbook/modules/reference.html#file-extension-substitution). */
const rewritten: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

/** React Native's platforms, each with a file of its own. */
const platforms = ['.web', '.native', '.ios', '.android', '.client', '.server'];

const outputFolders = /^(?:dist|build|lib|out|es|esm|cjs|umd|output|\.output|compiled)\//;
const sourceFolders = ['', 'src/', 'source/', 'app/', 'server/'];

/** Finds files of the tree by what a specifier says of them. */
export class FileLookup {
  readonly #paths: ReadonlySet<string>;
  readonly #sorted: readonly string[];
  readonly #manifests: ReadonlyMap<string, Manifest>;

  constructor(paths: ReadonlySet<string>, manifests: ReadonlyMap<string, Manifest>) {
    this.#paths = paths;
    this.#sorted = [...paths].sort();
    this.#manifests = manifests;
  }

  /** The files that a path without certain extension means: several where each platform has one, none where there is none. */
  files(path: string | null): readonly string[] {
    if (path === null) return [];
    const file = this.#file(path);
    if (file !== null) return [file];
    const forPlatforms = platforms.flatMap((platform) => this.#firstWith(`${path}${platform}`) ?? []);
    if (forPlatforms.length > 0) return forPlatforms;
    return this.#ofFolder(path);
  }

  /** The files that a path in a package.json means, or the sources of what it will be built to. */
  sources(folder: string, target: string): readonly string[] {
    const path = joined(folder, target);
    const found = this.files(path);
    if (found.length > 0 || path === null) return found;
    let rest = folder === '' ? path : path.slice(folder.length + 1);
    for (let depth = 0; depth < 3 && outputFolders.test(rest); depth++) {
      rest = rest.replace(outputFolders, '');
      const stem = rest.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '');
      for (const source of sourceFolders) {
        const sources = this.files(joined(folder, `${source}${stem}`));
        if (sources.length > 0) return sources;
      }
    }
    return [];
  }

  /**
   * Files that `prefix` + a name + `suffix` may mean, with or without extension; the name may be that of a folder with an
   * index file, or with `depth` `any` go through folders.
   */
  matching(prefix: string, suffix: string, depth: 'one name' | 'any' = 'one name'): readonly string[] {
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); found.length < maxMatching; at++) {
      const path = this.#sorted[at];
      if (path === undefined || !path.startsWith(prefix)) break;
      const extension = path.endsWith(suffix) ? '' : extensions.find((other) => path.endsWith(suffix + other));
      if (extension === undefined) continue;
      const name = path.slice(prefix.length, path.length - suffix.length - extension.length);
      if (depth === 'any' || /^[^/]+(?:\/index(?:\.\w+)?)?$/.test(name)) found.push(path);
    }
    return found;
  }

  #firstFrom(prefix: string): number {
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
    for (const other of Object.hasOwn(rewritten, extension) ? (rewritten[extension] ?? []) : []) {
      if (this.#paths.has(stem + other)) return stem + other;
    }
    return this.#firstWith(path);
  }

  #firstWith(path: string): string | null {
    if (nameIn(path) === '') return null;
    for (const extension of extensions) if (this.#paths.has(path + extension)) return path + extension;
    return null;
  }

  #ofFolder(folder: string): readonly string[] {
    const manifest = folder === '' ? undefined : this.#manifests.get(folder);
    for (const main of manifest === undefined ? [] : mainsOf(manifest.content)) {
      const path = joined(folder, main);
      const found = path === null || path === folder ? null : (this.#file(path) ?? this.#firstWith(`${path}/index`));
      if (found !== null) return [found];
    }
    const index = this.#firstWith(folder === '' ? 'index' : `${folder}/index`);
    return index === null ? [] : [index];
  }
}

/** Files that one computed specifier may mean. */
const maxMatching = 2000;
