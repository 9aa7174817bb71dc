import type { ParsedFile, Reference } from '../language.js';
import { positionsIn } from '../positions.js';
import { isWithin, type Range } from '../ranges.js';
import { dynamicImports } from './dynamic-imports.js';
import { importsIn } from './import-statements.js';
import { loadedSettings } from './loaded-settings.js';
import { maskPython } from './mask.js';
import type { PackageFinder } from './packages.js';
import type { WordString } from './string-literals.js';
import { namesUsed } from './used-names.js';

const mainGuard = /^if[ \t]*\(?[ \t]*__name__[ \t]*==/m;
const startFiles: Readonly<Record<string, string>> = {
  '__main__.py': 'runs as `python -m`',
  'manage.py': 'Django’s manage.py',
  'wsgi.py': 'a WSGI application',
  'asgi.py': 'an ASGI application',
  'app.py': 'an application by its name',
  'main.py': 'an application by its name',
  'lambda_function.py': 'an AWS Lambda handler',
  'gunicorn.conf.py': 'the settings of gunicorn',
  'gunicorn_config.py': 'the settings of gunicorn',
};

/** A file of Python. */
export interface ParsedPython extends ParsedFile {
  /** The imports that run whenever the file does: outside of functions, conditions and `try`. */
  readonly certain: ReadonlySet<Reference>;
  /** Of an `__init__.py`: the names that its code has. Null where it may define others, and of other files. */
  readonly packageNames: ReadonlySet<string> | null;
}

/** Code that defines names which it does not have: `from x import *`, PEP 562, and what writes to the module. */
const definesOthers =
  /\bimport[ \t]*\(?[ \t]*\*|\b(?:__getattr__|globals|locals|vars|exec|eval|setattr|modules|__dict__)\b/;

/** They define nothing that is not a module. */
const importsOfModules = /\bfrom[ \t]+\.+[ \t]*import[ \t]*(?:\([^)]*\)|[^\n;]*)/g;

function namesOfPackage(path: string, code: string): ReadonlySet<string> | null {
  if (!/(?:^|\/)__init__\.py$/.test(path) || definesOthers.test(code)) return null;
  return new Set(code.replace(importsOfModules, '').match(/[\p{L}_][\p{L}\p{N}_]*/gu));
}

/**
 * Parses one file of Python.
 *
 * @param isName whether a word in a string may name a package or a module of the project
 */
export function parsePython(
  path: string,
  text: string,
  isName: (word: string) => boolean,
  finder: PackageFinder,
): ParsedPython {
  const { code, words, isBroken } = maskPython(text);
  const placeOf = positionsIn(text);
  const { imports, ranges } = importsIn(code);
  const typeOnly = typeCheckingRanges(code);
  const names = namesUsed(code, imports, ranges);
  const references: Reference[] = imports.map((found, index) => ({
    target: found.module,
    ...placeOf(found.offset),
    kind: 'import',
    typeOnly: isWithin(typeOnly, found.offset),
    members: found.names?.map(({ name }) => name) ?? [],
    symbols: [...(names[index]?.symbols ?? [])],
    symbolsComplete: names[index]?.complete ?? false,
  }));
  const certain = new Set(references.filter((_, index) => !isIndented(code, imports[index]?.offset ?? 0)));
  const dynamic = dynamicImports(text, code, words, placeOf, finder);
  const byString = (kind: 'dynamic' | 'mention') => (found: WordString) => ({
    target: found.value,
    ...placeOf(found.from),
    kind,
  });
  references.push(...dynamic.found.map(byString('dynamic')));
  const settings = loadedSettings(path, text, code);
  const noted = new Set(dynamic.found.map(({ value }) => value));
  for (const found of words) {
    if (noted.has(found.value) || !isName(found.value)) continue;
    noted.add(found.value);
    references.push(byString(isWithin(settings, found.from) ? 'dynamic' : 'mention')(found));
  }
  const byFile = startFiles[path.slice(path.lastIndexOf('/') + 1)];
  const entry = byFile ?? (mainGuard.test(code) ? 'runs where __name__ is "__main__"' : null);
  const packageNames = isBroken ? null : namesOfPackage(path, code);
  return { references, unknownDynamic: dynamic.unknown, gaps: dynamic.gaps, isBroken, entry, certain, packageNames };
}

function isIndented(code: string, offset: number): boolean {
  return /\s/.test(code[code.lastIndexOf('\n', offset) + 1] ?? '');
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
