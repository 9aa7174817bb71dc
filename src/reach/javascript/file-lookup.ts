import { mainsOf } from './exports-field.js';
import type { Manifest } from './manifests.js';
import { folderOf, joined, nameIn } from './tree-paths.js';

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
  readonly #manifests: ReadonlyMap<string, Manifest>;

  constructor(paths: ReadonlySet<string>, manifests: ReadonlyMap<string, Manifest>) {
    this.#paths = paths;
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

  /** Files whose path begins and ends as given, below the folder of the prefix. */
  matching(prefix: string, suffix: string): readonly string[] {
    const found: string[] = [];
    for (const path of this.#paths) {
      if (!path.startsWith(prefix)) continue;
      if (path.endsWith(suffix) || extensions.some((extension) => path.endsWith(suffix + extension))) found.push(path);
      if (found.length >= maxMatching) break;
    }
    return found;
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

  folderHas(path: string): boolean {
    return this.#paths.has(path) || this.#manifests.has(folderOf(path));
  }
}

/** Files that one computed specifier may mean. */
const maxMatching = 2000;
