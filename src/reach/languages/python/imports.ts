import type { ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { Mask } from '../mask.js';
import { isWithin, type Range } from '../ranges.js';
import { maskPython, type WordString } from './mask.js';

/** An import as the file has it. `module` is relative where it begins with dots. */
export interface PythonImport {
  readonly module: string;
  /** The names of a from-import; null for `import module`. */
  readonly names: readonly { readonly name: string; readonly as: string }[] | null;
  /** The name that `import module as x` binds; without `as` the first part of the module. */
  readonly as: string | null;
  readonly offset: number;
}

const importStart = /(?<=^|[;:])[ \t\f\r]*\b(?:import|from)\b/gm;
const aliased = /^(\S+)\s+as\s+(\S+)$/;

/** The import statements of masked code, wherever they stand, and the ranges that they take. */
export function importsIn(code: string): { imports: PythonImport[]; ranges: Range[] } {
  const imports: PythonImport[] = [];
  const ranges: Range[] = [];
  for (const match of code.matchAll(importStart)) {
    const keyword = match[0].trimStart();
    const start = match.index + match[0].length - keyword.length;
    // Statements do not overlap; text that is no Python might make it seem so.
    if (start < (ranges.at(-1)?.[1] ?? 0)) continue;
    const end = endOfStatement(code, start);
    const statement = code.slice(start, end);
    const found = keyword === 'import' ? plainImports(statement, start) : fromImport(statement, start);
    if (found.length > 0) {
      imports.push(...found);
      ranges.push([start, end]);
    }
  }
  return { imports, ranges };
}

function endOfStatement(code: string, start: number): number {
  for (let at = start; at < code.length; at++) {
    const char = code[at];
    if (char === '\n' || char === ';') return at;
  }
  return code.length;
}

function plainImports(statement: string, start: number): PythonImport[] {
  const imports: PythonImport[] = [];
  let offset = 'import'.length;
  for (const part of statement.slice(offset).split(',')) {
    const text = part.trim();
    const [, module = text, as = null] = aliased.exec(text) ?? [];
    const name = module.replaceAll(/\s+/g, '');
    if (name !== '') {
      const leading = part.length - part.trimStart().length;
      imports.push({ module: name, names: null, as, offset: start + offset + leading });
    }
    offset += part.length + 1;
  }
  return imports;
}

function fromImport(statement: string, start: number): PythonImport[] {
  const keyword = /\bimport\b/.exec(statement.slice('from'.length));
  if (keyword === null) return [];
  const middle = 'from'.length + keyword.index;
  const module = statement.slice('from'.length, middle).replaceAll(/\s+/g, '');
  if (module === '') return [];
  const names = statement
    .slice(middle + 'import'.length)
    .replaceAll(/[()]/g, ' ')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => {
      const [, name = text, as = name] = aliased.exec(text) ?? [];
      return { name, as };
    });
  return names.length === 0 ? [] : [{ module, names, as: null, offset: start }];
}

/** A file of Python, and the words in its strings that may name modules. */
export interface ParsedPython extends ParsedFile {
  readonly references: readonly Reference[];
}

const mainGuard = /^if[ \t]*\(?[ \t]*__name__[ \t]*==/m;
const startFiles: Readonly<Record<string, string>> = {
  '__main__.py': 'runs as `python -m`',
  'manage.py': 'Django’s manage.py',
  'wsgi.py': 'a WSGI application',
  'asgi.py': 'an ASGI application',
  'app.py': 'an application by its name',
  'main.py': 'an application by its name',
  'lambda_function.py': 'an AWS Lambda handler',
};

/**
 * Parses one file of Python.
 *
 * @param isName whether a word in a string may name a package or a module of the project
 */
export function parsePython(path: string, text: string, isName: (word: string) => boolean): ParsedPython {
  const { code, words, isBroken } = maskPython(text);
  const lines = new Lines(text);
  const { imports, ranges } = importsIn(code);
  const typeOnly = typeCheckingRanges(code);
  const names = namesUsed(code, imports, ranges);
  const references: Reference[] = imports.map((found, index) => ({
    target: found.module,
    ...lines.placeOf(found.offset),
    kind: 'import',
    typeOnly: isWithin(typeOnly, found.offset),
    members: found.names?.map(({ name }) => name) ?? [],
    symbols: [...(names[index]?.symbols ?? [])],
    symbolsComplete: names[index]?.complete ?? false,
  }));
  const dynamic = dynamicImports(text, code, words);
  const byString = (kind: 'dynamic' | 'mention') => (found: WordString) => ({
    target: found.value,
    ...lines.placeOf(found.from),
    kind,
    symbols: [],
    symbolsComplete: false,
  });
  references.push(...dynamic.found.map(byString('dynamic')));
  const seen = new Set(dynamic.found.map(({ value }) => value));
  for (const found of words) {
    if (seen.has(found.value) || !isName(found.value)) continue;
    seen.add(found.value);
    references.push(byString('mention')(found));
  }
  const byFile = startFiles[path.slice(path.lastIndexOf('/') + 1)];
  const entry = byFile ?? (mainGuard.test(code) ? 'runs where __name__ is "__main__"' : null);
  return { references, unknownDynamic: dynamic.unknown, isBroken, entry };
}

interface UsedNames {
  readonly symbols: Set<string>;
  complete: boolean;
}

const chain = /(?<![\w.])([A-Za-z_]\w*)((?:[ \t]*\.[ \t]*[A-Za-z_]\w*)*)/g;

/** Imports that go by one name in a file: more, as in one for each function, all mean the same. */
const mostBindings = 50;

/** Attributes of attributes that are told apart. */
const deepestChain = 5;

/**
 * What the code takes from each import, as paths below the module's first part: `utils.text.slugify` for django. A name that
 * is used without an attribute may be passed on, and then hides what is taken from it.
 */
function namesUsed(code: string, imports: readonly PythonImport[], ranges: readonly Range[]): UsedNames[] {
  const used = imports.map(({ names }) => ({
    symbols: new Set<string>(),
    complete: names?.every(({ name }) => name !== '*') ?? true,
  }));
  const bindings = new Map<string, { readonly index: number; readonly path: string; readonly isMember: boolean }[]>();
  const bind = (as: string, index: number, path: string, isMember: boolean) => {
    const bound = bindings.get(as) ?? [];
    if (bound.length < mostBindings) bindings.set(as, [...bound, { index, path, isMember }]);
  };
  for (const [index, { module, names, as }] of imports.entries()) {
    const [, ...below] = module.split('.');
    if (module.startsWith('.')) continue;
    if (names === null) bind(as ?? module.split('.', 1)[0] ?? module, index, as === null ? '' : below.join('.'), false);
    for (const { name, as } of names ?? []) {
      if (name === '*') continue;
      const path = [...below, name].join('.');
      used[index]?.symbols.add(path);
      bind(as, index, path, true);
    }
  }
  const body = new Mask(code);
  for (const [from, to] of ranges) body.blank(from, to);
  for (const [, head = '', tail = ''] of body.finish().matchAll(chain)) {
    const bound = bindings.get(head);
    if (bound === undefined) continue;
    const attributes = tail === '' ? [] : tail.replaceAll(/[ \t]/g, '').slice(1).split('.').slice(0, deepestChain);
    for (const { index, path, isMember } of bound) {
      const names = used[index];
      if (names === undefined) continue;
      if (attributes.length === 0 && !isMember) names.complete = false;
      let reached = path;
      for (const attribute of attributes) {
        reached = reached === '' ? attribute : `${reached}.${attribute}`;
        // `import a.b` binds a: what leads to b is no symbol of its own.
        if (!isPartOf(reached, imports[index])) names.symbols.add(reached);
      }
    }
  }
  return used;
}

function isPartOf(path: string, found: PythonImport | undefined): boolean {
  const below = found?.module.slice(found.module.indexOf('.') + 1);
  return (
    found?.names === null && found.module.includes('.') && (below === path || below?.startsWith(`${path}.`) === true)
  );
}

const typeChecking = /^([ \t]*)if[ \t]+\(?(?:\w+\.)*TYPE_CHECKING\)?[ \t]*:(.*)$/gm;

/** The blocks that only type checkers read (https://docs.python.org/3/library/typing.html#typing.TYPE_CHECKING). */
function typeCheckingRanges(code: string): Range[] {
  const ranges: Range[] = [];
  for (const { 0: whole, 1: indent = '', 2: rest = '', index: from } of code.matchAll(typeChecking)) {
    if (from < (ranges.at(-1)?.[1] ?? 0)) continue;
    let to = from + whole.length;
    while (rest.trim() === '' && to < code.length) {
      const next = code.indexOf('\n', to + 1);
      const end = next === -1 ? code.length : next;
      const line = code.slice(to + 1, end);
      if (line.trim() !== '' && line.length - line.trimStart().length <= indent.length) break;
      to = end;
    }
    ranges.push([from, to]);
  }
  return ranges;
}

const importCall = /(?<![\w.])(?:__import__|(?:importlib[ \t]*\.[ \t]*)?import_module)[ \t]*\(/g;

/** Imports by function: with a literal name, or with one that is computed. */
function dynamicImports(text: string, code: string, words: readonly WordString[]) {
  const byStart = new Map(words.map((each) => [each.from, each]));
  const found: WordString[] = [];
  let unknown = 0;
  for (const match of code.matchAll(importCall)) {
    if (/\bdef[ \t]+$/.test(code.slice(Math.max(0, match.index - 8), match.index))) continue;
    const behind = match.index + match[0].length;
    const argument = byStart.get(behind + (/^\s*/.exec(text.slice(behind, behind + 200))?.[0].length ?? 0));
    const next = argument && /^\s*([,)])/.exec(code.slice(argument.to, argument.to + 200));
    if (argument && next) found.push(argument);
    else unknown += 1;
  }
  return { found, unknown };
}
