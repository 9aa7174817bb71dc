import { compareText } from '../../../shared/text/compare-text.js';
import { compareNumberLists, compareNumbers, toNumber, type VersionNumber } from './ordering.js';

/** A version of Semantic Versioning 2.0.0, without build metadata, which has no precedence (section 10). */
export interface SemVer {
  /** Major, minor, patch, and for NuGet the revision. */
  readonly release: readonly VersionNumber[];
  /** Empty for a normal version. Numbers are numeric identifiers, strings alphanumeric ones. */
  readonly prerelease: readonly (VersionNumber | string)[];
}

const digitsOnly = /^\d+$/;

/** The identifiers of a pre-release label (without its hyphen); null where one of them is empty. */
function parsePrerelease(label: string): (VersionNumber | string)[] | null {
  const identifiers = label.split('.');
  if (identifiers.includes('')) return null;
  return identifiers.map((identifier) => (digitsOnly.test(identifier) ? toNumber(identifier) : identifier));
}

/** Makes a version from dotted numbers and a pre-release label. */
export function toSemVer(numbers: string, label: string | undefined): SemVer | null {
  const prerelease = label === undefined ? [] : parsePrerelease(label);
  return prerelease && { release: numbers.split('.').map(toNumber), prerelease };
}

const strictShape = /^(\d+(?:\.\d+){0,2})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Reads `1.2.3-label+build`. Advisories also write `1.2` and `1` for 1.2.0 and 1.0.0, so missing parts are zeros. Leading
 * zeros, which the specification forbids, are ignored.
 */
export function parseSemVer(text: string): SemVer | null {
  const match = strictShape.exec(text);
  return match?.[1] === undefined ? null : toSemVer(match[1], match[2]);
}

/** Precedence of https://semver.org/spec/v2.0.0.html section 11. */
export function compareSemVer(a: SemVer, b: SemVer): number {
  return compareNumberLists(a.release, b.release) || comparePrerelease(a.prerelease, b.prerelease);
}

function comparePrerelease(a: SemVer['prerelease'], b: SemVer['prerelease']): number {
  // A version without a label is above all its pre-releases (11.3).
  if (a.length === 0 || b.length === 0) return compareNumbers(b.length, a.length);
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compareIdentifiers(a[i] ?? 0, b[i] ?? 0);
    if (order !== 0) return order;
  }
  return compareNumbers(a.length, b.length);
}

function compareIdentifiers(a: VersionNumber | string, b: VersionNumber | string): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : 1;
  return typeof b === 'string' ? -1 : compareNumbers(a, b);
}

export function isSemVerPrerelease(version: SemVer): boolean {
  return version.prerelease.length > 0;
}
