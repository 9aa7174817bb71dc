import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl, purlType } from '../../shared/packages/purl.js';
import { compareVersions } from '../matching/versions/index.js';

interface Constraint {
  readonly comparator: '=' | '!=' | '<' | '<=' | '>' | '>=';
  readonly version: string;
}

/** Constraints of one range. Real ranges have fewer than ten. */
const maxConstraints = 100;

/**
 * Whether a version is in a range (VERS, https://github.com/package-url/vers-spec, "Checking if a version is contained
 * within a range"). Null where the range cannot be read for this ecosystem: then nothing is known.
 */
export function isInVersRange(range: string, ecosystem: Ecosystem, version: string): boolean | null {
  const [, scheme = '', text = ''] = /^vers:([a-z][a-z0-9.+-]*)\/(.+)$/i.exec(range) ?? [];
  if (scheme === '') return null;
  if (text.trim() === '*') return true;
  if (!isSchemeOf(scheme.toLowerCase(), ecosystem)) return null;
  const constraints = readConstraints(text);
  if (constraints === null) return null;
  const placed: (Constraint & { readonly order: number })[] = [];
  for (const constraint of constraints) {
    const order = compareVersions(ecosystem, version, constraint.version);
    if (order === null) return null;
    placed.push({ ...constraint, order });
  }
  const equal = placed.filter(({ order }) => order === 0);
  if (equal.length > 0) return equal.some(({ comparator }) => ['=', '<=', '>='].includes(comparator));
  const bounds = placed
    .filter(({ comparator }) => comparator !== '=' && comparator !== '!=')
    .sort((a, b) => compareVersions(ecosystem, a.version, b.version) ?? 0);
  if (bounds.length === 0) return placed.length > 0 && placed.every(({ comparator }) => comparator === '!=');
  return isBetween(bounds);
}

/** `order` is that of the tested version to the bound's. The bounds are in ascending order. */
function isBetween(bounds: readonly { readonly comparator: string; readonly order: number }[]): boolean {
  const isLower = ({ comparator }: { readonly comparator: string }) => comparator.startsWith('>');
  return bounds.some((bound, place) => {
    const [previous, next] = [bounds[place - 1], bounds[place + 1]];
    if (isLower(bound)) {
      return bound.order > 0 && (next === undefined || (isLower(next) ? false : next.order < 0));
    }
    return bound.order < 0 && (previous === undefined || (isLower(previous) && previous.order > 0));
  });
}

/** `semver`, `generic` and `all` name no registry: their versions are read as the package's. */
function isSchemeOf(scheme: string, ecosystem: Ecosystem): boolean {
  return (
    ['semver', 'generic', 'all'].includes(scheme) ||
    scheme === purlType(printPurl({ ecosystem, name: 'a', version: null }))
  );
}

function readConstraints(text: string): Constraint[] | null {
  const parts = text.replaceAll(/\s+/g, '').split('|', maxConstraints + 1);
  if (parts.length > maxConstraints) return null;
  const constraints: Constraint[] = [];
  for (const part of parts.filter((each) => each !== '')) {
    const [, sign = '', raw = ''] = /^(>=|<=|!=|=|<|>)?(.+)$/.exec(part) ?? [];
    const comparator = comparators.find((each) => each === (sign === '' ? '=' : sign));
    const version = decoded(raw);
    if (comparator === undefined || version === null) return null;
    constraints.push({ comparator, version });
  }
  return constraints;
}

const comparators = ['=', '!=', '<', '<=', '>', '>='] as const;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
