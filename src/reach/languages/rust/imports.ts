import { remember } from '../../remember.js';
import { maskCLike } from '../c-like-mask.js';
import type { ParsedFile, Reference } from '../language.js';
import { positionsIn } from '../positions.js';
import { isWithin, type Range } from '../ranges.js';
import { wordSet } from '../word-set.js';
import { attributePaths } from './attribute-paths.js';
import { includedCode } from './generated-code.js';
import { usesIn } from './use-declarations.js';

const syntax = { nestsComments: true, hasTextBlocks: false, hasBackquotes: false, isRust: true } as const;

/** A file of Rust. References `mod:name` and `file:path` lead to files of the crate. */
export interface ParsedRust extends ParsedFile {
  /** Names of the modules that it declares. */
  readonly modules: readonly string[];
}

const externCrate = /(?<![\w.:])extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?\s*;/g;
const moduleLine = /(?<![\w.:])mod\s+(\w+)\s*([;{])/g;
/** `#[path = "file.rs"]` before a module, with what may stand between. */
const pathAttribute = /#\[\s*path\s*=\s*"([^"\\\n]+)"\s*\]\s*(?:pub\s*(?:\([^()]{0,100}\)\s*)?)?$/;
const maxAttributeLength = 400;
const pathChain = /(?<![\w.:])(?:::\s*)?([A-Za-z_]\w*)((?:\s*::\s*[A-Za-z_]\w*)+)/g;
const testAttribute = /#\s*\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b[^\]]*\]/g;

/** First parts of paths that stay within the crate or name the standard library. */
const notACrate = wordSet('crate self super Self std core alloc proc_macro test');

/**
 * Parses one file of Rust. Paths are found everywhere, in attributes and macros too. Symbols are full paths
 * (`smallvec::SmallVec::grow`), as RustSec names them.
 */
export function parseRust(text: string, path: string): ParsedRust {
  const { code, isBroken } = maskCLike(text, syntax);
  const placeOf = positionsIn(text);
  const inTests = testRanges(code);
  const roleAt = (offset: number) => (isWithin(inTests, offset) ? ({ role: 'test' } as const) : {});
  const found = new Map<string, { crate: string; offset: number; symbols: Set<string> }>();
  for (const { path: whole, offset } of pathsIn(text, code)) {
    const [crate = ''] = whole;
    if (notACrate.has(crate)) continue;
    const site = remember(found, `${crate} ${isWithin(inTests, offset)}`, () => ({
      crate,
      offset,
      symbols: new Set(),
    }));
    site.offset = Math.min(site.offset, offset);
    if (whole.length > 1) site.symbols.add(whole.join('::'));
  }
  const references = [...found.values()].map(
    ({ crate, offset, symbols }): Reference => ({
      target: crate,
      ...placeOf(offset),
      kind: 'import',
      ...roleAt(offset),
      // Never complete: methods of a value are missed where the file does not name its type.
      symbols: [...symbols],
    }),
  );
  const included = includedCode(text, code, placeOf);
  const files = included.paths.map(
    ({ path, offset }): Reference => ({ target: `file:${path}`, ...placeOf(offset), kind: 'import' }),
  );
  const modules = [...code.matchAll(moduleLine)];
  for (const { 0: whole, 1: name = '', 2: end, index } of modules) {
    if (end === '{') continue;
    const [, path] = pathAttribute.exec(text.slice(Math.max(0, index - maxAttributeLength), index)) ?? [];
    const target = path === undefined ? `mod:${name}` : `file:${path}`;
    files.push({ target, ...placeOf(index + whole.indexOf('mod')), kind: 'import', ...roleAt(index) });
  }
  return {
    references: [...references, ...files],
    gaps: included.gaps,
    isBroken,
    entry: entries.find(([file]) => file.test(path))?.[1] ?? null,
    modules: modules.map(([, name = '']) => name),
  };
}

const entries = [
  [/(?:^|\/)src\/(?:main|bin\/[^/]+(?:\/main)?)\.rs$/, 'the main function of a crate'],
  [/(?:^|\/)src\/lib\.rs$/, 'the root of a crate'],
] as const;

interface PathAt {
  readonly path: readonly string[];
  readonly offset: number;
}

/** The paths of a file, each with the names that its imports stand for. */
function* pathsIn(text: string, code: string): Generator<PathAt> {
  const { uses, ranges } = usesIn(code);
  const bindings = new Map<string, readonly string[]>();
  for (const { path, as, offset } of uses) {
    yield { path: path.at(-1) === '*' ? path.slice(0, -1) : path, offset };
    if (as !== '*' && as !== '_') bindings.set(as, path);
  }
  for (const { 0: whole, 1: crate = '', 2: as = crate, index } of code.matchAll(externCrate)) {
    yield { path: [crate], offset: index + whole.indexOf('extern') };
    bindings.set(as, [crate]);
  }
  for (const { 0: whole, 1: head = '', 2: tail = '', index } of code.matchAll(pathChain)) {
    if (isWithin(ranges, index)) continue;
    const [, ...rest] = tail.split('::').map((part) => part.trim());
    yield { path: [...(bindings.get(head) ?? [head]), ...rest], offset: index + whole.indexOf(head) };
  }
  yield* attributePaths(text, code);
  const types = typedNames(code, bindings);
  for (const { 1: name = '', 2: method = '', index } of code.matchAll(methodCall)) {
    for (const type of types.get(name) ?? []) yield { path: [...type, method], offset: index };
  }
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
