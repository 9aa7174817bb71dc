import semver from 'semver';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { withOrdering } from './versions/index.js';
import type { Ordering } from './versions/ordering.js';

/** Characters of a range that is read. The longest that a sync sends. */
const maxLength = 200;

/** Whether a range takes a version; null where the version has no place in the order. */
export type IsInside = (version: string) => boolean | null;

/**
 * A range that a manifest asks for, by the rules of its ecosystem's tools. Null where the text is no range of versions, such as a tag, a
 * branch, an address or a protocol, and in ecosystems whose tools do not choose inside ranges.
 */
export function readRange(ecosystem: Ecosystem, range: string): IsInside | null {
  if (range.length > maxLength || range.trim() === '') return null;
  switch (ecosystem) {
    case 'npm':
      return readSemver(range);
    case 'crates.io':
      return readSemver(cargoRange(range));
    case 'PyPI':
    case 'RubyGems':
    case 'Packagist':
      return withOrdering(ecosystem, (ordering) => readComparators(ordering, ecosystem, range));
    case 'Go':
    case 'Maven':
    case 'NuGet':
      return null;
  }
}

/** Whether a range takes a version; null where one of them cannot be read. */
export function accepts(ecosystem: Ecosystem, range: string, version: string): boolean | null {
  return readRange(ecosystem, range)?.(version) ?? null;
}

function readSemver(range: string): IsInside | null {
  const options = { loose: true };
  if (semver.validRange(range, options) === null) return null;
  const parsed = new semver.Range(range, options);
  return (version) => parsed.test(version);
}

/** A requirement without an operator is a caret one (https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html). */
function cargoRange(range: string): string {
  const parts = range.split(',').map((part) => part.trim());
  return parts.map((part) => (/^\d/.test(part) && !part.includes('*') ? `^${part}` : part)).join(' ');
}

const comparator = /^(===?|!=|~=|~>|>=|<=|[=<>^~])?\s*v?(\d[0-9A-Za-z.+_-]*?)(\.\*)?$/;

interface Comparator {
  readonly operator: string;
  readonly version: string;
  readonly wildcard: boolean;
}

/** Alternatives of `||` or `|`, each a list of comparators that must all hold. */
function readComparators<Parsed>(ordering: Ordering<Parsed>, ecosystem: Ecosystem, range: string): IsInside | null {
  const alternatives = range
    .replace(/^\((.*)\)$/s, '$1')
    .split(/\|\|?/)
    .map(comparatorsOf);
  if (alternatives.includes(null)) return null;
  return (text) => {
    const version = ordering.parse(text);
    if (version === null) return null;
    const held = alternatives.map((each) => (each ?? []).map((one) => holds(ordering, ecosystem, version, one)));
    if (held.some((all) => all.includes(null))) return null;
    return held.some((all) => all.every((one) => one === true));
  };
}

/** Null where a part is none of them. */
function comparatorsOf(text: string): Comparator[] | null {
  const parts = text
    .replace(/(===?|!=|~=|~>|>=|<=|[=<>^~])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((part) => part !== '' && part !== '*');
  const read = parts.map((part) => comparator.exec(part));
  return read.includes(null)
    ? null
    : read.map((match) => {
        const [, operator = '=', version = '', wildcard] = match ?? [];
        return { operator, version, wildcard: wildcard !== undefined };
      });
}

function holds<Parsed>(
  ordering: Ordering<Parsed>,
  ecosystem: Ecosystem,
  version: Parsed,
  { operator, version: text, wildcard }: Comparator,
): boolean | null {
  const bound = ordering.parse(text);
  if (bound === null) return null;
  const order = ordering.compare(version, bound);
  const isBelow = (end: string | null) => {
    const parsed = end === null ? null : ordering.parse(end);
    return parsed === null ? null : ordering.compare(version, parsed) < 0;
  };
  const from = (end: string | null) => (order < 0 ? false : isBelow(end));
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '!=':
      return wildcard ? not(from(next(text, 1))) : order !== 0;
    case '~=':
    case '~>':
      return from(next(text, 2));
    case '^':
      return from(nextBreaking(text));
    case '~':
      // Composer's tilde lets the last number that is given grow; Poetry's follows npm.
      return from(ecosystem === 'Packagist' ? next(text, 2) : nextTilde(text));
    default:
      return wildcard ? from(next(text, 1)) : order === 0;
  }
}

function not(held: boolean | null): boolean | null {
  return held === null ? null : !held;
}

/** The version with one more in the number that is `fromEnd` from its end (1: the last), or in its first one. */
function next(version: string, fromEnd: number): string | null {
  const numbers = numbersOf(version);
  return numbers === null ? null : raised(numbers, Math.max(0, numbers.length - fromEnd));
}

/** One more in the first number that is not 0. */
function nextBreaking(version: string): string | null {
  const numbers = numbersOf(version);
  if (numbers === null) return null;
  const place = numbers.findIndex((number) => number > 0);
  return raised(numbers, place === -1 ? numbers.length - 1 : place);
}

function nextTilde(version: string): string | null {
  const numbers = numbersOf(version);
  return numbers === null ? null : raised(numbers, Math.min(1, numbers.length - 1));
}

function raised(numbers: readonly number[], place: number): string {
  return [...numbers.slice(0, place), (numbers[place] ?? 0) + 1].join('.');
}

function numbersOf(version: string): number[] | null {
  const text = /^\d{1,9}(?:\.\d{1,9})*/.exec(version)?.[0];
  return text === undefined ? null : text.split('.').map(Number);
}
