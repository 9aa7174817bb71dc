import { maskCLike } from '../c-like-mask.js';
import type { ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { isWithin, type Range } from '../ranges.js';

const syntax = { nestsComments: true, hasTextBlocks: false, hasBackquotes: false, isRust: true } as const;

/** A file of Rust, and the modules that it declares. */
export interface ParsedRust extends ParsedFile {
  /** Names of `mod name;`, each a file of its own. */
  readonly modules: readonly string[];
}

/** A path of a `use`, and the name that it binds. */
interface Use {
  readonly path: readonly string[];
  readonly as: string;
  readonly offset: number;
}

const useStart = /(?<![\w.:])use\b/g;
const externCrate = /(?<![\w.:])extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?\s*;/g;
const moduleLine = /(?<![\w.:])mod\s+(\w+)\s*;/g;
const pathChain = /(?<![\w.:])(?:::\s*)?([A-Za-z_]\w*)((?:\s*::\s*[A-Za-z_]\w*)+)/g;
const testAttribute = /#\s*\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b[^\]]*\]/g;

/** How deep groups of a `use` may nest, and how many paths a file may use. */
const maxGroupDepth = 32;
const maxPaths = 10_000;

/** First parts of paths that stay within the crate or name the standard library. */
const notACrate: ReadonlySet<string> = new Set([
  'crate',
  'self',
  'super',
  'Self',
  'std',
  'core',
  'alloc',
  'proc_macro',
  'test',
]);

/**
 * Parses one file of Rust. Paths are found everywhere, in attributes and macros too. Symbols are full paths
 * (`smallvec::SmallVec::grow`), as RustSec names them.
 */
export function parseRust(text: string, path: string): ParsedRust {
  const { code, isBroken } = maskCLike(text, syntax);
  const lines = new Lines(text);
  const inTests = testRanges(code);
  const found = new Map<string, { crate: string; offset: number; isTest: boolean; symbols: Set<string> }>();
  const note = (whole: readonly string[], offset: number) => {
    const [crate = ''] = whole;
    if (notACrate.has(crate)) return;
    const isTest = isWithin(inTests, offset);
    const key = `${crate} ${isTest}`;
    const site = found.get(key) ?? { crate, offset, isTest, symbols: new Set<string>() };
    site.offset = Math.min(site.offset, offset);
    if (whole.length > 1) site.symbols.add(whole.join('::'));
    found.set(key, site);
  };

  const { uses, ranges } = usesIn(code);
  const bindings = new Map<string, readonly string[]>();
  for (const { path, as, offset } of uses) {
    note(path.at(-1) === '*' ? path.slice(0, -1) : path, offset);
    if (as !== '*' && as !== '_') bindings.set(as, path);
  }
  for (const { 0: whole, 1: crate = '', 2: as = crate, index } of code.matchAll(externCrate)) {
    note([crate], index + whole.indexOf('extern'));
    bindings.set(as, [crate]);
  }
  for (const { 0: whole, 1: head = '', 2: tail = '', index } of code.matchAll(pathChain)) {
    if (isWithin(ranges, index)) continue;
    const rest = tail
      .split('::')
      .slice(1)
      .map((part) => part.trim());
    const bound = bindings.get(head);
    note([...(bound ?? [head]), ...rest], index + whole.indexOf(head));
  }
  const types = typedNames(code, bindings);
  for (const { 1: name = '', 2: method = '', index } of code.matchAll(methodCall)) {
    for (const type of types.get(name) ?? []) note([...type, method], index);
  }
  const references = [...found.values()].map(
    ({ crate, offset, isTest, symbols }): Reference => ({
      target: crate,
      ...lines.placeOf(offset),
      kind: 'import',
      ...(isTest ? { role: 'test' as const } : {}),
      symbols: [...symbols],
      // Methods of a value are missed where the file does not name its type.
      symbolsComplete: false,
    }),
  );
  const modules = [...code.matchAll(moduleLine)].map(([, name = '']) => name);
  const entry = /(?:^|\/)src\/(?:main|bin\/[^/]+(?:\/main)?)\.rs$/.test(path)
    ? 'the main function of a crate'
    : /(?:^|\/)src\/lib\.rs$/.test(path)
      ? 'the root of a crate'
      : null;
  return { references, unknownDynamic: 0, isBroken, entry, modules };
}

/** All paths of the `use` declarations; a group gives several. */
function usesIn(code: string): { readonly uses: Use[]; readonly ranges: Range[] } {
  const uses: Use[] = [];
  const ranges: Range[] = [];
  const token = /[A-Za-z_]\w*|::|[{},;*]|\s+|./gsy;
  for (const { index } of code.matchAll(useStart)) {
    if (index < (ranges.at(-1)?.[1] ?? 0)) continue;
    token.lastIndex = index + 'use'.length;
    const prefixes: (readonly string[])[] = [[]];
    let path: string[] = [];
    let offset = index;
    let as: string | null = null;
    let expectsName = false;
    const end = () => {
      if (path.length > (prefixes.at(-1)?.length ?? 0) && uses.length < maxPaths) {
        const last = path.at(-1) ?? '';
        const whole = last === 'self' ? path.slice(0, -1) : path;
        uses.push({ path: whole, as: as ?? whole.at(-1) ?? '', offset });
      }
      path = [...(prefixes.at(-1) ?? [])];
      as = null;
    };
    for (let found = token.exec(code); found !== null; found = token.exec(code)) {
      const [text] = found;
      if (text === ';') break;
      if (text === '{') {
        if (prefixes.length > maxGroupDepth) break;
        prefixes.push(path);
        path = [...path];
      } else if (text === ',') end();
      else if (text === '}') {
        end();
        prefixes.pop();
        if (prefixes.length === 0) break;
        path = [...(prefixes.at(-1) ?? [])];
      } else if (text === 'as') expectsName = true;
      else if (expectsName && /^\w/.test(text)) {
        as = text;
        expectsName = false;
      } else if (/^[\w*]/.test(text)) {
        if (path.length === 0) offset = found.index;
        if (path.length >= maxGroupDepth) break;
        path = [...path, text];
      } else if (text !== '::' && text.trim() !== '') break;
    }
    end();
    ranges.push([index, Math.max(index + 1, token.lastIndex)]);
  }
  return { uses, ranges };
}

const methodCall = /\b([a-z_]\w*)\s*\.\s*([a-z_]\w*)\s*(?=::|\()/g;
const typedName = /\b([a-z_]\w*)\s*(?::\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?|=\s*)([A-Z]\w*)\b/g;
/** Names of values whose types are noted. */
const maxTypedNames = 200;

/** Values and the types that the file imports for them from a crate: `name: Type`, `name = Type…`. */
function typedNames(
  code: string,
  bindings: ReadonlyMap<string, readonly string[]>,
): Map<string, Set<readonly string[]>> {
  const types = new Map<string, Set<readonly string[]>>();
  for (const [, name = '', type = ''] of code.matchAll(typedName)) {
    const path = bindings.get(type);
    if (path === undefined || notACrate.has(path[0] ?? '')) continue;
    if (types.size < maxTypedNames || types.has(name)) types.set(name, (types.get(name) ?? new Set()).add(path));
  }
  return types;
}

/** The ranges that `#[cfg(test)]` marks: from the attribute to the end of the block, or to the semicolon. */
function testRanges(code: string): Range[] {
  const ranges: Range[] = [];
  for (const match of code.matchAll(testAttribute)) {
    const start = match.index;
    if (start < (ranges.at(-1)?.[1] ?? 0)) continue;
    let depth = 0;
    let at = start + match[0].length;
    for (; at < code.length; at++) {
      const char = code[at];
      if (char === '{') depth += 1;
      else if (char === '}') {
        depth -= 1;
        if (depth <= 0) break;
      } else if (char === ';' && depth === 0) break;
    }
    ranges.push([start, at]);
  }
  return ranges;
}
