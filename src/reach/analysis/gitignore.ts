import ignore, { type Ignore } from 'ignore';

/** Rules of all .gitignore files from the root down to one folder: no project writes as many by hand. */
const maxRules = 2000;

// Limits that keep the matching of hostile patterns quick: each `**/` multiplies its time by the depth of the path.
const maxPatternLength = 512;
const maxGlobstars = 2;
const maxDepth = 32;

/** The .gitignore files from the root of a tree down to one of its folders, asked as `git check-ignore` would be. */
export class Gitignore {
  static readonly none = new Gitignore(null, []);

  readonly #outer: Gitignore | null;
  readonly #patterns: readonly string[];
  readonly #count: number;
  #compiled: Ignore | undefined;

  private constructor(outer: Gitignore | null, patterns: readonly string[]) {
    this.#outer = outer;
    this.#patterns = patterns;
    this.#count = patterns.length + (outer === null ? 0 : outer.#count);
  }

  /** These rules and those of a file further in, which come last, and so win. `folder` is empty for the root. */
  with(folder: string, text: string): Gitignore {
    const patterns = text
      .split('\n', maxRules - this.#count)
      .flatMap((line) => (isQuick(line) ? (patternFromRoot(folder, line.replace(/\r$/, '')) ?? []) : []));
    return patterns.length === 0 ? this : new Gitignore(this, patterns.map(toBytes));
  }

  /** Whether git ignores a path, given from the root of the tree: for a rule that matches it or one of its folders. */
  ignores(path: string, type: 'file' | 'folder'): boolean {
    if (path === '' || this.#count === 0 || path.split('/').length > maxDepth) return false;
    return this.#rules().ignores(toBytes(type === 'folder' ? `${path}/` : path));
  }

  /** Compiled when first asked, and once for all folders below. Git tells letters of different case apart. */
  #rules(): Ignore {
    this.#compiled ??= ignore({ ignorecase: false })
      .add(this.#outer === null ? [] : this.#outer.#rules())
      .add(this.#patterns);
    return this.#compiled;
  }
}

/** A character for each byte of the UTF-8 text: what `?` and a class stand for in git. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function isQuick(line: string): boolean {
  return line.length <= maxPatternLength && line.split('**/').length - 1 <= maxGlobstars;
}

// The pattern as a .gitignore in the root would have it: `/dist` of the file in `app` is `/app/dist` there, and `dist` is
// `/app/**/dist`. Null for an empty line or a comment. Source: gitignore(5), "Pattern format".
function patternFromRoot(folder: string, line: string): string | null {
  if (folder === '') return line;
  const [, negation = '', pattern = ''] = /^(!?)(.*)$/.exec(line) ?? [];
  if (/^\/? *$/.test(pattern) || line.startsWith('#')) return null;
  const prefix = `/${folder.replaceAll(/[\\*?[]/g, '\\$&')}/`;
  // A slash that does not end the pattern binds it to the folder of its file.
  const isBound = /\/(?! *$)/.test(pattern);
  return `${negation}${prefix}${isBound ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}
