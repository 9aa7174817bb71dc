import { compareNumbers, maxVersionLength, type Ordering, toNumber, type VersionNumber } from './ordering.js';

type Stability = 'dev' | 'alpha' | 'beta' | 'RC' | 'patch';

/** A normalised version as PHP's version_compare splits it. */
export type ComposerVersion = readonly (VersionNumber | Stability)[];

/** `VersionParser::$modifierRegex` of composer/semver, on lower-cased text. */
const modifier =
  '(?:[._-]?(?<stability>stable|beta|b|rc|alpha|a|patch|pl|p)(?<numbers>(?:[.-]?\\d)*))?(?:[._-]?(?<dev>dev))?$';
const classical = new RegExp(`^v?(?<release>\\d{1,5}(?:\\.\\d+){0,3})${modifier}`);
const dated = new RegExp(`^v?(?<date>\\d{4}(?:[.:-]?\\d{2}){1,6}(?:[.:-]?\\d{1,3}){0,2})${modifier}`);
const numericBranch = /^v?(?<branch>\d+(?:\.(?:\d+|[x*])){0,3})[.-]?dev$/;

const stabilityFlag = /@(?:stable|rc|beta|alpha|dev)$/i;
const buildMetadata = /\+[^\s]+$/;
/**
 * A branch without numbers. `dev-master as 1.2.x-dev` still installs whatever the branch was then, and `9999999-dev` is Composer's alias of
 * a default branch.
 */
const namedBranch = /^(?:dev-\S+|(?:master|trunk|default)(?:-dev)?|9999999(?:\.9999999){0,3}-dev)(?: as .*)?$/i;

/** Composer writes this for the open end of a numeric branch: 1.x-dev is 1.9999999.9999999.9999999-dev. */
const openEnd = 9999999;
const releaseParts = 4;

function toStability(word: string): Stability | null {
  if (word === 'stable') return null;
  if (word.startsWith('a')) return 'alpha';
  if (word.startsWith('b')) return 'beta';
  return word === 'rc' ? 'RC' : 'patch';
}

function splitNumbers(text: string): VersionNumber[] {
  return (text.match(/\d+/g) ?? []).map(toNumber);
}

function padded(release: readonly VersionNumber[], filler: number): VersionNumber[] {
  return Array.from({ length: releaseParts }, (_, i) => release[i] ?? filler);
}

function parse(text: string): ComposerVersion | null {
  if (text.length > maxVersionLength) return null;
  const lower = text.trim().replace(stabilityFlag, '').toLowerCase();
  const plain = lower.replace(buildMetadata, '');
  if (namedBranch.test(plain)) return null;
  const match = (classical.exec(plain) ?? dated.exec(plain))?.groups;
  if (match) {
    const { release, date = '', stability, numbers = '', dev } = match;
    const parts: (VersionNumber | Stability)[] =
      release === undefined ? splitNumbers(date) : padded(splitNumbers(release), 0);
    const label = stability === undefined ? null : toStability(stability);
    if (label) parts.push(label, ...splitNumbers(numbers));
    // `1.0-stable` is the release itself, even with `dev` after it.
    if (dev !== undefined && stability !== 'stable') parts.push('dev');
    return parts;
  }
  const branch = numericBranch.exec(plain)?.groups?.['branch'];
  if (branch === undefined) return null;
  const known = branch.split('.').map((part) => (part === 'x' || part === '*' ? openEnd : toNumber(part)));
  return [...padded(known, openEnd), 'dev'];
}

/** version_compare's order at one position: dev < alpha < beta < RC < (end) < number < patch. */
function rank(part: VersionNumber | Stability | undefined): number {
  if (part === undefined) return 4;
  if (typeof part !== 'string') return 5;
  return part === 'patch' ? 6 : ['dev', 'alpha', 'beta', 'RC'].indexOf(part);
}

/**
 * Packagist: PHP's version_compare on versions as Composer normalises them. A numeric branch (`1.x-dev`) is above all versions
 * that it holds; a branch with another name has no place among them.
 * Source: https://getcomposer.org/doc/articles/versions.md, Composer\Semver\VersionParser::normalize,
 * https://www.php.net/version_compare.
 */
export const packagist: Ordering<ComposerVersion> = {
  parse,
  compare(a, b) {
    const length = Math.max(a.length, b.length);
    for (let i = 0; i < length; i++) {
      const left = a[i];
      const right = b[i];
      const order = rank(left) - rank(right);
      if (order !== 0) return order;
      if (left === undefined || right === undefined || typeof left === 'string' || typeof right === 'string') continue;
      const numeric = compareNumbers(left, right);
      if (numeric !== 0) return numeric;
    }
    return 0;
  },
  isPrerelease: (version) => version.some((part) => typeof part === 'string' && part !== 'patch'),
  isOpenEnded: (version) => version.includes(openEnd),
  isUnordered: (text) => namedBranch.test(text.replace(stabilityFlag, '')),
};
