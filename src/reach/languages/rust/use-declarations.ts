import type { Range } from '../ranges.js';

/** A path of a `use`, and the name that it binds. */
interface Use {
  readonly path: readonly string[];
  readonly as: string;
  readonly offset: number;
}

const useStart = /(?<![\w.:])use\b/g;

/** How deep groups of a `use` may nest, and how many paths a file may use. */
const maxGroupDepth = 32;
const maxPaths = 10_000;

/** All paths of the `use` declarations; a group gives several. */
export function usesIn(code: string): { readonly uses: Use[]; readonly ranges: Range[] } {
  const uses: Use[] = [];
  const ranges: Range[] = [];
  const token = /[A-Za-z_]\w*|::|[{},;*]|\s+|./gsy;
  for (const { index } of code.matchAll(useStart)) {
    if (index < (ranges.at(-1)?.[1] ?? 0)) continue;
    token.lastIndex = index + 'use'.length;
    const declaration = new UseDeclaration(uses, index);
    let found = token.exec(code);
    while (found !== null && declaration.take(found[0], found.index)) found = token.exec(code);
    declaration.endPath();
    ranges.push([index, Math.max(index + 1, token.lastIndex)]);
  }
  return { uses, ranges };
}

/** Reads one `use` declaration token by token, and adds its paths to a list. */
class UseDeclaration {
  readonly #uses: Use[];
  /** The paths before the open groups, the innermost last. */
  readonly #prefixes: (readonly string[])[] = [[]];
  #path: readonly string[] = [];
  #offset: number;
  #as: string | null = null;
  #expectsName = false;

  constructor(uses: Use[], offset: number) {
    this.#uses = uses;
    this.#offset = offset;
  }

  /** False where the declaration ends, or is none. */
  take(token: string, offset: number): boolean {
    if (token === '{') return this.#openGroup();
    if (token === '}') return this.#closeGroup();
    if (token === ',') this.endPath();
    else if (token === 'as') this.#expectsName = true;
    else if (this.#expectsName && /^\w/.test(token)) {
      this.#as = token;
      this.#expectsName = false;
    } else if (/^[\w*]/.test(token)) return this.#addPart(token, offset);
    else return token === '::' || token.trim() === '';
    return true;
  }

  endPath(): void {
    const prefix = this.#prefixes.at(-1) ?? [];
    if (this.#path.length > prefix.length && this.#uses.length < maxPaths) {
      const path = this.#path.at(-1) === 'self' ? this.#path.slice(0, -1) : this.#path;
      this.#uses.push({ path, as: this.#as ?? path.at(-1) ?? '', offset: this.#offset });
    }
    this.#path = prefix;
    this.#as = null;
  }

  #openGroup(): boolean {
    if (this.#prefixes.length > maxGroupDepth) return false;
    this.#prefixes.push(this.#path);
    return true;
  }

  #closeGroup(): boolean {
    this.endPath();
    this.#prefixes.pop();
    this.#path = this.#prefixes.at(-1) ?? [];
    return this.#prefixes.length > 0;
  }

  #addPart(part: string, offset: number): boolean {
    if (this.#path.length === 0) this.#offset = offset;
    if (this.#path.length >= maxGroupDepth) return false;
    this.#path = [...this.#path, part];
    return true;
  }
}
