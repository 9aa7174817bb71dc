import type { Ecosystem } from '../shared/packages/ecosystem.js';
import { isStandardLibrary } from './standard-library.js';

/** The package that an advisory is about, as the registry compares its name. */
interface NamedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
}

/** The vulnerable functions of a package, as `Advisory.packages.symbols` spells them. */
export interface VulnerableSymbols {
  /** Those that an advisory's text names. A project that references none of them does not use what is vulnerable. */
  readonly named: readonly string[];
  /**
   * Those of other evidence, such as the diff of a fix. They may be internal functions, or not all there are: a reference to
   * one says that it is used, and no reference says nothing.
   */
  readonly suspected: readonly string[];
}

/** What the project references of a package in production code. */
export interface References {
  /** As the report spells them: see the cases of `compare`. */
  readonly symbols: readonly string[];
  /** The report has all names that are referenced. */
  readonly complete: boolean;
  /**
   * What follows the package's name in its imports; an empty text for the package itself. Null where the report does not
   * list every import.
   */
  readonly subpaths: readonly string[] | null;
}

/** What a list of references says of the vulnerable functions. */
export interface SymbolFindings {
  /** An advisory names at least one function, or a suspected one is referenced. */
  readonly known: boolean;
  /** Those that are referenced. */
  readonly referenced: readonly string[];
  /** An advisory names one, none is referenced, and the list would have named each of them. */
  readonly excluded: boolean;
}

/** A symbol that is not referenced may be `excluded`: the list is complete, and would name it. */
type Comparison = 'referenced' | 'excluded' | 'unknown';

/**
 * Looks for vulnerable functions in the references of a package. A function can be excluded only if nothing but its own name
 * leads to it from outside. That is so neither for methods, nor for classes, which other functions of the package make, nor
 * for private functions, which public ones call.
 *
 * A suspected function never excludes anything; it keeps the others from it where the list would not have named it.
 */
export function findVulnerable(
  target: NamedPackage,
  { named, suspected }: VulnerableSymbols,
  references: References,
): SymbolFindings {
  const compare = comparisons[target.ecosystem] ?? compareEqual;
  const all = [...new Set([...named, ...suspected])];
  const results = all.map((symbol) => ({ symbol, result: compare(symbol, target.name, references) }));
  const referenced = results.filter(({ result }) => result === 'referenced').map(({ symbol }) => symbol);
  return {
    known: named.length > 0 || referenced.length > 0,
    referenced,
    excluded: named.length > 0 && results.every(({ result }) => result === 'excluded'),
  };
}

type Compare = (symbol: string, packageName: string, references: References) => Comparison;

/**
 * Reports of these ecosystems name types, and functions by their full path. A value of a type has methods that no name
 * shows, so nothing is excluded.
 */
const compareEqual: Compare = (symbol, _, { symbols }) => {
  const wanted = plainPath(symbol);
  return symbols.some((each) => plainPath(each) === wanted) ? 'referenced' : 'unknown';
};

/** Without generic arguments (`FromSql::<Text, Sqlite>::from_sql`), the root of names (`\A\B`) and what follows `(`. */
function plainPath(symbol: string): string {
  let depth = 0;
  let plain = '';
  for (const char of symbol.slice(0, 1000)) {
    if (char === '(') break;
    if (char === '<') depth += 1;
    else if (char === '>') depth -= 1;
    else if (depth === 0) plain += char;
  }
  return plain.replaceAll('::::', '::').replace(/^\\/, '').replace(/::$/, '');
}

/** Names that give everything else: the module as a function, and what makes a new copy or wraps a value. */
const doors = new Set(['default', 'module.exports', 'chain', 'mixin', 'prototype', 'runInContext', 'noConflict']);

const plainModule = /^([a-z][\w-]*?)(?:\.[cm]?js)?$/i;

/**
 * npm: a report names exports (`merge`), and `default` for the module itself. Its imports may be of single files:
 * `lodash/merge`. Advisories name `lodash.merge`, `tar.Unpack`, `fast-xml-parser.XMLParser.parse`, or a package that is one
 * function.
 */
const compareNpm: Compare = (symbol, packageName, { symbols, complete, subpaths }) => {
  const [member = 'default', ...rest] = memberOf(symbol, packageName);
  if (rest.length > 0) return 'unknown';
  if (member === 'default') return symbols.includes('default') ? 'referenced' : 'unknown';
  const modules = (subpaths ?? []).map((path) => plainModule.exec(path)?.[1] ?? null);
  const isNamed =
    symbols.includes(member) || (subpaths ?? []).some((path) => lastPart(path).toLowerCase() === member.toLowerCase());
  if (isNamed) return 'referenced';
  const mayHide =
    !complete ||
    subpaths === null ||
    modules.some((module, index) => module === null && subpaths[index] !== '') ||
    symbols.some((each) => doors.has(each) && (each !== 'default' || subpaths.includes('')));
  return mayHide || !/^[a-z]/.test(member) ? 'unknown' : 'excluded';
};

/** `b.c` of `a.b.c`, where a is the package; nothing where the symbol is the package itself. */
function memberOf(symbol: string, packageName: string): string[] {
  if (symbol === packageName) return [];
  const isBelow = symbol.startsWith(`${packageName}.`);
  const path = isBelow ? symbol.slice(packageName.length + 1) : symbol;
  const parts = path.split(/[.#]/).filter((part) => part !== '');
  // Some advisories put another name of the module first.
  return !isBelow && parts.length > 1 ? parts.slice(1) : parts;
}

function lastPart(path: string): string {
  return plainModule.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? '';
}

/**
 * Python: a report leaves out the first part of a module's name (`utils.http.urlencode` for django), which need not be the
 * package's name. A name may be exported again under another path, so one with the same last part excludes nothing.
 */
const comparePython: Compare = (symbol, _, { symbols, complete }) => {
  const [, ...path] = symbol.split('.');
  const name = path.at(-1);
  if (name === undefined || !/^[\w.]+$/.test(symbol)) return 'unknown';
  if (symbols.includes(path.join('.'))) return 'referenced';
  const isTopLevel = path.length === 1 && /^[a-z]/.test(name);
  const isElsewhere = symbols.some((each) => each === name || each.endsWith(`.${name}`));
  return complete && isTopLevel && !isElsewhere ? 'excluded' : 'unknown';
};

/**
 * Go: `path.Function` and `path.Type.Method`, in advisories (https://go.dev/security/vuln/database) as in reports. Imports
 * have no dynamic form. So of a package path that no file imports, nothing is referenced.
 */
const compareGo: Compare = (symbol, packageName, { symbols, complete, subpaths }) => {
  if (symbols.includes(symbol)) return 'referenced';
  if (subpaths === null) return 'unknown';
  // Other packages of the library use each of its packages.
  if (isStandardLibrary({ ecosystem: 'Go', name: packageName })) return 'unknown';
  const isImported = subpaths.some((subpath) => {
    const path = subpath === '' ? packageName : `${packageName}/${subpath}`;
    const isWithin = symbol.toLowerCase().startsWith(`${path}.`.toLowerCase());
    return isWithin && !symbol.slice(path.length).includes('/');
  });
  const name = symbol.slice(symbol.lastIndexOf('.') + 1);
  return !isImported || (complete && /^\p{Lu}/u.test(name)) ? 'excluded' : 'unknown';
};

const comparisons: Partial<Record<Ecosystem, Compare>> = {
  npm: compareNpm,
  PyPI: comparePython,
  Go: compareGo,
};
