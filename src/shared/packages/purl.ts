import type { Ecosystem } from './ecosystem.js';
import { packageName, packageVersion } from './package-name.js';

/** A package as its registry spells it; `version` is null where the package URL names none. */
export interface PackageCoordinate {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string | null;
}

/** Package URL types by ecosystem (ECMA-427; https://github.com/package-url/purl-spec, `types`). */
const typeOf = {
  npm: 'npm',
  PyPI: 'pypi',
  Go: 'golang',
  'crates.io': 'cargo',
  Maven: 'maven',
  RubyGems: 'gem',
  NuGet: 'nuget',
  Packagist: 'composer',
} as const satisfies Record<Ecosystem, string>;

/** The types of the ecosystems we know. */
export const purlTypes: ReadonlySet<string> = new Set(Object.values(typeOf));

/** Characters. Real ones stay far below; bounds the parsing of hostile ones. */
const longest = 1024;

/** Qualifiers and subpath say where to fetch or what to look at, not which package it is. */
const shape = /^pkg:\/*([a-z][a-z0-9.+-]*)\/([^?#]*)/i;

/** The package URL's type in lower case, null where the text is no package URL. */
export function purlType(text: string): string | null {
  return text.length > longest ? null : (shape.exec(text)?.[1]?.toLowerCase() ?? null);
}

/**
 * Reads a package URL of a known ecosystem; null where it is malformed, of another type, or names what no registry of its
 * type could hold. Case is kept where the registry keeps it: Go module paths differ by case, whatever the type's text says.
 */
export function parsePurl(text: string): PackageCoordinate | null {
  const [, , path = ''] = text.length > longest ? [] : (shape.exec(text) ?? []);
  const raw = path.split('/').filter((segment) => segment !== '');
  const last = raw.pop() ?? '';
  // Only the last segment can carry a version: a slash inside a version is percent-encoded.
  const at = last.indexOf('@', 1);
  const version = at === -1 ? null : decode(last.slice(at + 1));
  if (at !== -1 && !packageVersion.safeParse(version).success) return null;
  const [ecosystem, name] = nameOf(purlType(text), readSegments([...raw, at === -1 ? last : last.slice(0, at)])) ?? [];
  if (ecosystem === undefined || name === undefined || !packageName.safeParse(name).success) return null;
  return { ecosystem, name, version };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The path's names, decoded; none where one is malformed, could climb, or holds an `@` other than a scope's. An encoded
 * slash separates too: some tools encode a whole Go module path or npm name.
 */
function readSegments(raw: readonly string[]): string[] {
  const names = raw.flatMap((segment) => decode(segment)?.split('/') ?? ['']);
  return names.some((name) => name === '' || name === '.' || name === '..' || name.includes('@', 1)) ? [] : names;
}

function nameOf(type: string | null, names: readonly string[]): [Ecosystem, string] | null {
  const [first, second] = names;
  if (first === undefined) return null;
  const isSingle = names.length === 1 && !first.startsWith('@');
  const isPair = names.length === 2 && second !== undefined && !second.startsWith('@');
  switch (type) {
    case 'npm':
      if (isPair) return first.startsWith('@') && first.length > 1 ? ['npm', `${first}/${second}`] : null;
      return isSingle ? ['npm', first] : null;
    case 'golang':
      return names.some((name) => name.startsWith('@')) ? null : ['Go', names.join('/')];
    case 'maven':
      return isPair && !first.startsWith('@') && !names.some((name) => name.includes(':'))
        ? ['Maven', `${first}:${second}`]
        : null;
    case 'composer':
      return isPair && !first.startsWith('@') ? ['Packagist', `${first}/${second}`] : null;
    case 'pypi':
      return isSingle ? ['PyPI', first] : null;
    case 'cargo':
      return isSingle ? ['crates.io', first] : null;
    case 'gem':
      return isSingle ? ['RubyGems', first] : null;
    case 'nuget':
      return isSingle ? ['NuGet', first] : null;
    default:
      return null;
  }
}

/** The canonical package URL, without a version where `version` is null. */
export function printPurl({ ecosystem, name, version }: PackageCoordinate): string {
  const path = canonicalName(ecosystem, name).split('/').map(encode).join('/');
  return `pkg:${typeOf[ecosystem]}/${path}${version === null ? '' : `@${encode(version)}`}`;
}

/** Names as the type's rules spell them: PyPI's and Composer's know no case, PyPI's `_` is `-`, Maven's group is a namespace. */
function canonicalName(ecosystem: Ecosystem, name: string): string {
  switch (ecosystem) {
    case 'PyPI':
      return name.toLowerCase().replaceAll('_', '-');
    case 'Packagist':
      return name.toLowerCase();
    case 'Maven':
      return name.replace(':', '/');
    case 'npm':
    case 'Go':
    case 'crates.io':
    case 'RubyGems':
    case 'NuGet':
      return name;
  }
}

/** Percent-encoding of ECMA-427, 5.4: letters, digits and `.-_~` stay, and so does the colon. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The name as the registry compares it: PEP 503 for PyPI, lower case for NuGet and Packagist, `group:artifact` for Maven
 * (a package URL's `group/artifact` is read too), others as they are: npm still serves old names with capitals.
 */
export function normaliseName(ecosystem: Ecosystem, name: string): string {
  const trimmed = name.trim();
  switch (ecosystem) {
    case 'PyPI':
      return trimmed.toLowerCase().replaceAll(/[-_.]+/g, '-');
    case 'NuGet':
    case 'Packagist':
      return trimmed.toLowerCase();
    case 'Maven':
      return trimmed.replace('/', ':');
    case 'npm':
    case 'Go':
    case 'crates.io':
    case 'RubyGems':
      return trimmed;
  }
}
