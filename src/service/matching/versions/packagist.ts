import { compareText } from '../../../shared/text/compare-text.js';
import { compareNumbers, maxVersionLength, type Ordering, toNumber, type VersionNumber } from './ordering.js';

type Stability = 'dev' | 'alpha' | 'beta' | 'RC' | 'patch';

/** A normalised version as PHP's version_compare splits it, or a branch without numbers (`dev-main`). */
export type ComposerVersion =
  | { readonly kind: 'release'; readonly parts: readonly (VersionNumber | Stability)[] }
  | { readonly kind: 'branch'; readonly name: string };

/** `VersionParser::$modifierRegex` of composer/semver, on lower-cased text. */
const modifier =
  '(?:[._-]?(?<stability>stable|beta|b|rc|alpha|a|patch|pl|p)(?<numbers>(?:[.-]?\\d)*))?(?:[._-]?(?<dev>dev))?$';
const classical = new RegExp(`^v?(?<release>\\d{1,5}(?:\\.\\d+){0,3})${modifier}`);
const dated = new RegExp(`^v?(?<date>\\d{4}(?:[.:-]?\\d{2}){1,6}(?:[.:-]?\\d{1,3}){0,2})${modifier}`);
const numericBranch = /^v?(?<branch>\d+(?:\.(?:\d+|[x*])){0,3})[.-]?dev$/;

const stabilityFlag = /@(?:stable|rc|beta|alpha|dev)$/i;
const buildMetadata = /\+[^\s]+$/;
const defaultBranches = ['master', 'trunk', 'default'];

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
  const trimmed = text.trim().replace(stabilityFlag, '');
  const lower = trimmed.toLowerCase();
  if (defaultBranches.includes(lower)) return { kind: 'branch', name: lower };
  // Branch names keep their case: for Git and Composer, dev-Main and dev-main are different branches.
  if (lower.startsWith('dev-')) return lower.length > 4 ? { kind: 'branch', name: trimmed.slice(4) } : null;
  const plain = lower.replace(buildMetadata, '');
  const match = (classical.exec(plain) ?? dated.exec(plain))?.groups;
  if (match) {
    const { release, date = '', stability, numbers = '', dev } = match;
    const parts: (VersionNumber | Stability)[] =
      release === undefined ? splitNumbers(date) : padded(splitNumbers(release), 0);
    const label = stability === undefined ? null : toStability(stability);
    if (label) parts.push(label, ...splitNumbers(numbers));
    // `1.0-stable` is the release itself, even with `dev` after it.
    if (dev !== undefined && stability !== 'stable') parts.push('dev');
    return { kind: 'release', parts };
  }
  const branch = numericBranch.exec(plain)?.groups?.['branch'];
  if (branch === undefined) return null;
  const known = branch.split('.').map((part) => (part === 'x' || part === '*' ? openEnd : toNumber(part)));
  return { kind: 'release', parts: [...padded(known, openEnd), 'dev'] };
}

/** version_compare's order at one position: dev < alpha < beta < RC < (end) < number < patch. */
function rank(part: VersionNumber | Stability | undefined): number {
  if (part === undefined) return 4;
  if (typeof part !== 'string') return 5;
  return part === 'patch' ? 6 : ['dev', 'alpha', 'beta', 'RC'].indexOf(part);
}

/**
 * Packagist: PHP's version_compare on versions as Composer normalises them. Branches (`dev-*`) are below every version.
 * Source: https://getcomposer.org/doc/articles/versions.md, Composer\Semver\VersionParser::normalize,
 * https://www.php.net/version_compare.
 */
export const packagist: Ordering<ComposerVersion> = {
  parse,
  compare(a, b) {
    if (a.kind === 'branch') return b.kind === 'branch' ? compareText(a.name, b.name) : -1;
    if (b.kind === 'branch') return 1;
    const length = Math.max(a.parts.length, b.parts.length);
    for (let i = 0; i < length; i++) {
      const left = a.parts[i];
      const right = b.parts[i];
      const order = rank(left) - rank(right);
      if (order !== 0) return order;
      if (left === undefined || right === undefined || typeof left === 'string' || typeof right === 'string') continue;
      const numeric = compareNumbers(left, right);
      if (numeric !== 0) return numeric;
    }
    return 0;
  },
  isPrerelease: (version) =>
    version.kind === 'branch' || version.parts.some((part) => typeof part === 'string' && part !== 'patch'),
};
