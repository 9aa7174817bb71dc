import { maskCLike } from '../c-like-mask.js';
import type { ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { Mask } from '../mask.js';

const syntax = { nestsComments: false, hasTextBlocks: false, hasBackquotes: true, isRust: false } as const;

interface GoImport {
  readonly path: string;
  /** `_`, `.` or the name that the file gives the package; null where it keeps its name. */
  readonly alias: string | null;
  readonly offset: number;
}

const packageClause = /^[ \t]*package[ \t]+(\w+)/m;
const importKeyword = /(?:^|;)[ \t]*import\b/gm;
const spec = /[ \t\r\n;]*(?:([\w.]+)[ \t]+)?(["`])([^"`\n]+)\2/y;

/** Parses one file of Go (https://go.dev/ref/spec#Import_declarations). */
export function parseGo(text: string): ParsedFile {
  const { code, isBroken } = maskCLike(text, syntax);
  const lines = new Lines(text);
  const { imports, end } = importsIn(text, code);
  const names = symbolsOf(code, imports, end);
  const references = imports.map(
    ({ path, alias, offset }, index): Reference => ({
      target: path,
      ...lines.placeOf(offset),
      kind: 'import',
      symbols: [...(names[index] ?? [])],
      // Methods of a value are missed where the file does not name its type; a dot import hides all names.
      symbolsComplete: alias === '_',
    }),
  );
  const packageName = packageClause.exec(code)?.[1] ?? null;
  const isMain = packageName === 'main' && /^func[ \t]+main[ \t]*\(/m.test(code);
  return {
    references,
    isBroken: isBroken || packageName === null,
    entry: isMain ? 'package main' : null,
  };
}

/** The imports, which come before all other declarations. Paths are read from the text: in the code strings are blank. */
function importsIn(text: string, code: string): { readonly imports: GoImport[]; readonly end: number } {
  const imports: GoImport[] = [];
  let end = 0;
  let close = -1;
  for (const match of code.matchAll(importKeyword)) {
    const start = match.index + match[0].length;
    if (start < end) continue;
    const isGroup = code[start + blanks(text, start)] === '(';
    if (isGroup && close < start) close = code.indexOf(')', start);
    if (isGroup && close === -1) break;
    const stop = isGroup ? close : code.length;
    let at = isGroup ? start + blanks(text, start) + 1 : start;
    for (;;) {
      at = skipBlank(text, code, at, isGroup);
      spec.lastIndex = at;
      const found = spec.exec(text);
      if (found === null || spec.lastIndex > stop) break;
      const [whole, alias = null, , path = ''] = found;
      imports.push({ path, alias, offset: at + whole.length - path.length - 2 });
      at = spec.lastIndex;
      if (!isGroup) break;
    }
    end = Math.max(end, at);
  }
  return { imports, end };
}

/** How many spaces and tabs follow an offset, up to 100. */
function blanks(text: string, from: number): number {
  return /^[ \t]*/.exec(text.slice(from, from + 100))?.[0].length ?? 0;
}

/** Passes over white space and comments: they are blank in the code, and are no strings in the text. */
function skipBlank(text: string, code: string, from: number, overLines: boolean): number {
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"' || char === '`') return at;
    if (text.startsWith('//', at) && code[at] === ' ') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (text.startsWith('/*', at) && code[at] === ' ') {
      const end = text.indexOf('*/', at + 2);
      at = end === -1 ? text.length : end + 2;
    } else if (char === ' ' || char === '\t' || (overLines && (char === '\n' || char === '\r' || char === ';')))
      at += 1;
    else return at;
  }
  return at;
}

/** Names that a package may have: its path does not fix them (https://go.dev/ref/spec#Import_declarations). */
function packageNamesOf(path: string): string[] {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const name = (/^v\d+$/.test(last) && parts.length > 1 ? parts.at(-2) : last)?.replace(/\.v\d+$/, '') ?? '';
  const bare = name.replace(/^go-|^go\.|[-.]go$|^golang-/g, '');
  const candidates = [
    name,
    bare,
    bare.replaceAll(/[-.]/g, ''),
    bare.replaceAll(/[-.]/g, '_'),
    bare.split(/[-.]/).at(-1) ?? '',
  ];
  return [...new Set(candidates.filter((each) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(each)))];
}

/** Imports under one name in a file. */
const maxBindings = 50;

const selector = /(?<![\w.])([A-Za-z_]\w*)[ \t]*\.[ \t\r\n]*([A-Za-z_]\w*)/g;

/** A name and its type: `x *pkg.Type`, `var x pkg.Type`, `x := &pkg.Type{`. */
const typed =
  /\b([A-Za-z_]\w*)[ \t]{0,40}(?::?=[ \t]{0,9}&?|[ \t](?:\*|\[\]\*?)?)[ \t]{0,40}([A-Za-z_]\w*)\.([A-Z]\w*)(?![ \t]{0,9}\()/g;

/**
 * The symbols that the code uses of each import, as the Go vulnerability database names them: `path.Function`, and
 * `path.Type.Method` where the file itself names a value's type. A name is taken to mean the same in the whole file.
 */
function symbolsOf(code: string, imports: readonly GoImport[], end: number): Set<string>[] {
  const used = imports.map(() => new Set<string>());
  const bindings = new Map<string, number[]>();
  for (const [index, { path, alias }] of imports.entries()) {
    for (const name of alias === null ? packageNamesOf(path) : [alias]) {
      const bound = bindings.get(name) ?? [];
      if (bound.length < maxBindings) bindings.set(name, [...bound, index]);
    }
  }
  const body = new Mask(code);
  body.blankLines(0, end);
  const rest = body.finish();
  const types = new Map<string, Set<string>>();
  for (const [, name = '', head = '', type = ''] of rest.matchAll(typed)) {
    if (!bindings.has(head)) continue;
    types.set(name, (types.get(name) ?? new Set()).add(`${head}.${type}`));
  }
  const add = (head: string, symbol: string) => {
    for (const index of bindings.get(head) ?? []) {
      const path = imports[index]?.path;
      if (path !== undefined) used[index]?.add(`${path}.${symbol}`);
    }
  };
  for (const [, head = '', member = ''] of rest.matchAll(selector)) {
    if (/^[A-Z]/.test(member)) add(head, member);
  }
  if (types.size === 0) return used;
  // A field is used behind the value that holds it (`s.client.Do`): here the name before the dot may itself follow a dot.
  for (const [, head = '', member = ''] of rest.matchAll(/([A-Za-z_]\w*)[ \t]*\.[ \t\r\n]*([A-Z]\w*)/g)) {
    for (const type of types.get(head) ?? []) {
      const [of = '', name = ''] = type.split('.');
      add(of, `${name}.${member}`);
    }
  }
  return used;
}
