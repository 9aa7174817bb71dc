import { groupBy } from '../../../lockfiles/group-by.js';
import { remember } from '../../../remember.js';
import { fileNameOf, inFolder, joinPath } from '../../tree-path.js';
import { pathPattern } from '../project/path-pattern.js';
import { SortedPaths } from '../sorted-paths.js';
import { sourceKindOf } from '../source-kinds.js';

/** Extensions of code. A path without one of these may mean a file with any of them. */
const extensions = '.ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro .mdx .coffee .es6'.split(' ');
const codeExtension = /\.(?:[mc]?[jt]sx?|vue|svelte|astro|mdx|coffee|es6)$/;

/** Output of TypeScript, and bundles of any code. */
const outputExtension = /(?:\.(?:min|bundle|prod))?\.[mc]?jsx?$/;

const outputFolder = /^(?:dist|build|lib|out|es|esm|cjs|umd|output|\.output|\.build|\.webpack|compiled|bin)\//;
const sourceFolders = ['', 'src/', 'source/', 'app/', 'server/', 'lib/'];

/** Limits of one question: output folders in a path (`dist/esm/lib/`), alternatives of a pattern (`{a,b}`), files. */
const maxOutputFolders = 3;
const maxAlternatives = 32;
const maxFiles = 5000;

/** Paths that all questions together may look at. Real trees need some ten thousand; hostile patterns would need billions. */
const maxVisits = 2_000_000;

/**
 * The code of a tree, by the paths and patterns by which configurations and programs name it. All files that a path may
 * mean are given, and not the best of them: so a further file in the tree never takes an answer away.
 */
export class TreeFiles {
  readonly #paths: ReadonlySet<string>;
  readonly #sorted: SortedPaths;
  /** The code that a path without extension may mean, in the order of the extensions. */
  readonly #byStem: ReadonlyMap<string, readonly string[]>;
  readonly #answers = new Map<string, readonly string[]>();
  #visits = 0;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
    this.#sorted = new SortedPaths(this.#paths);
    this.#byStem = codeByStem(this.#paths);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  hasFolder(folder: string): boolean {
    return folder === '' || this.#sorted.startingWith(`${folder}/`).next().done === false;
  }

  /** The files that a path means: with or without extension, TypeScript's source of it, or the index of a folder. */
  named(path: string | null): readonly string[] {
    if (path === null) return [];
    const found = this.#paths.has(path) && isCode(path) ? [path] : [];
    const stem = path.replace(outputExtension, '');
    for (const one of stem === path ? [path] : [path, stem]) found.push(...(this.#byStem.get(one) ?? []));
    found.push(...(this.#byStem.get(inFolder(path, 'index')) ?? []));
    return found.length < 2 ? found : [...new Set(found)];
  }

  /** The files that a path below a folder means, and the sources that it may be built from. */
  sources(folder: string, target: string): readonly string[] {
    const path = joinPath(folder, target);
    if (path === null) return [];
    const found = new Set(this.named(path));
    const prefix = inFolder(folder, '');
    let rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    for (let depth = 0; depth < maxOutputFolders && outputFolder.test(rest); depth++) {
      rest = rest.replace(outputFolder, '');
      // A bundle `dist/post/index.js` may be of `src/post.ts`.
      const stems = [rest, rest.replace(/\/index\.\w+$/, '')];
      for (const source of sourceFolders)
        for (const stem of stems) for (const file of this.named(`${prefix}${source}${stem}`)) found.add(file);
    }
    return [...found];
  }

  /** All code below a folder. With `depth` `children`, only its files and the index files of its folders. */
  within(folder: string, depth: 'children' | 'any'): readonly string[] {
    return remember(this.#answers, `${folder}\0${depth}`, () => this.#below(folder, depth));
  }

  /** The code that a pattern below a folder matches: `src/*.js`, `{a,b}/**`. */
  matching(folder: string, pattern: string): readonly string[] {
    return remember(this.#answers, `${folder}\0\0${pattern}`, () => this.#matched(folder, pattern));
  }

  #below(folder: string, depth: 'children' | 'any'): readonly string[] {
    const found: string[] = [];
    const prefix = inFolder(folder, '');
    for (const path of this.#from(prefix)) {
      if (found.length >= maxFiles) break;
      const rest = path.slice(prefix.length);
      if (isSource(path) && (depth === 'any' || /^[^/]+(?:\/index\.\w+)?$/.test(rest))) found.push(path);
    }
    return found;
  }

  #matched(folder: string, pattern: string): readonly string[] {
    const found = new Set<string>();
    for (const alternative of alternativesOf(pattern)) {
      const star = alternative.search(/[*?[]/);
      const literal = star === -1 ? alternative : alternative.slice(0, star);
      const base = joinPath(folder, literal.slice(0, literal.lastIndexOf('/') + 1));
      const test = pathPattern(alternative.slice(literal.lastIndexOf('/') + 1));
      if (base === null || test === null) continue;
      const prefix = inFolder(base, '');
      for (const path of this.#from(prefix)) {
        if (found.size >= maxFiles) break;
        if (!isSource(path)) continue;
        const rest = path.slice(prefix.length);
        // A pattern of output, `dist/*.js`, or one without extension means the sources too.
        if (test(rest) || test(rest.replace(codeExtension, '')) || test(rest.replace(codeExtension, '.js')))
          found.add(path);
      }
    }
    return [...found];
  }

  *#from(prefix: string): Generator<string> {
    for (const path of this.#sorted.startingWith(prefix)) {
      if (++this.#visits > maxVisits) return;
      yield path;
    }
  }
}

function codeByStem(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const orderOf = (path: string) => extensions.indexOf(path.slice(path.lastIndexOf('.')));
  const code = [...paths].filter((path) => orderOf(path) !== -1 && isCode(path));
  return groupBy(
    code.sort((a, b) => orderOf(a) - orderOf(b)),
    (path) => path.slice(0, path.lastIndexOf('.')),
  );
}

/** Whether a file may be code that runs: source, or a file without extension. */
export function isCode(path: string): boolean {
  return isSource(path) || !fileNameOf(path).includes('.');
}

/** Whether a file is source by its name. Declarations of types do not run. */
function isSource(path: string): boolean {
  const kind = sourceKindOf(path);
  return kind === null ? codeExtension.test(path) : kind.lang !== 'dts' && fileNameOf(path).includes('.');
}

/** The patterns that braces stand for: `a.{js,ts}` is `a.js` and `a.ts`. Nested braces are left as they are. */
function alternativesOf(pattern: string): readonly string[] {
  let found = [pattern];
  for (let braces = true; braces; ) {
    braces = false;
    const next = found.flatMap((one) => {
      const match = /\{([^{}]*)\}/.exec(one);
      if (match === null) return [one];
      braces = true;
      const [whole, inner = ''] = match;
      return inner.split(',').map((part) => one.slice(0, match.index) + part + one.slice(match.index + whole.length));
    });
    found = next.slice(0, maxAlternatives);
  }
  return found;
}
