import { type Ecosystem, ecosystems } from './ecosystem.js';
import { packageName, packageVersion } from './package-name.js';

/** A package as its registry spells it; `version` is null where the package URL names none. */
export interface PackageCoordinate {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string | null;
}

/** How an ecosystem names packages, in package URLs and in its registry. */
interface NamingRules {
  /** The package URL type (ECMA-427; https://github.com/package-url/purl-spec, `types`). */
  readonly type: string;
  /** The package's name from the names of the URL's path (one or more); null where they name no package. */
  readonly fromPath: (names: readonly string[]) => string | null;
  /** The canonical path of a package URL, not yet encoded. */
  readonly toPath: (name: string) => string;
  /** The name as the registry compares it. */
  readonly normalise: (name: string) => string;
}

const unchanged = (name: string) => name;
const lowerCase = (name: string) => name.toLowerCase();

/** The name of a path with exactly so many names, none of which may begin like an npm scope. */
function joinExactly(count: number, separator: string): NamingRules['fromPath'] {
  return (names) => (names.length === count && !names.some(isScope) ? names.join(separator) : null);
}

function isScope(name: string): boolean {
  return name.startsWith('@');
}

/** `name` or `@scope/name`. */
function npmName([first = '', second, ...rest]: readonly string[]): string | null {
  if (rest.length > 0) return null;
  if (second === undefined) return isScope(first) ? null : first;
  return isScope(first) && first.length > 1 && !isScope(second) ? `${first}/${second}` : null;
}

const asWritten = { toPath: unchanged, normalise: unchanged };
const single = { ...asWritten, fromPath: joinExactly(1, '') };

const namingRules: Readonly<Record<Ecosystem, NamingRules>> = {
  // npm still serves old names with capitals.
  npm: { ...asWritten, type: 'npm', fromPath: npmName },
  PyPI: {
    ...single,
    type: 'pypi',
    toPath: (name) => name.toLowerCase().replaceAll('_', '-'),
    // PEP 503, "Normalized Names".
    normalise: (name) => name.toLowerCase().replaceAll(/[-_.]+/g, '-'),
  },
  // Module paths differ by case, whatever the type's text says.
  Go: { ...asWritten, type: 'golang', fromPath: (names) => (names.some(isScope) ? null : names.join('/')) },
  'crates.io': { ...single, type: 'cargo' },
  Maven: {
    type: 'maven',
    fromPath: (names) => (names.some((name) => name.includes(':')) ? null : joinExactly(2, ':')(names)),
    toPath: (name) => name.replace(':', '/'),
    // A package URL's `group/artifact` is read too.
    normalise: (name) => name.replace('/', ':'),
  },
  RubyGems: { ...single, type: 'gem' },
  NuGet: { ...single, type: 'nuget', normalise: lowerCase },
  Packagist: { type: 'composer', fromPath: joinExactly(2, '/'), toPath: lowerCase, normalise: lowerCase },
};

const ecosystemOfType: ReadonlyMap<string, Ecosystem> = new Map(
  ecosystems.map((ecosystem) => [namingRules[ecosystem].type, ecosystem]),
);

/** Characters. Real package URLs are far shorter; the limit bounds the work on hostile ones. */
const maxLength = 1024;

/** Qualifiers and subpath say where to fetch the package or what to look at in it, not which package it is. */
const shape = /^pkg:\/*([a-z][a-z0-9.+-]*)\/([^?#]*)/i;

/** The package URL's type in lower case; null where the text is not a package URL. */
export function purlType(text: string): string | null {
  return text.length > maxLength ? null : (shape.exec(text)?.[1]?.toLowerCase() ?? null);
}

/** The ecosystem with this package URL type; null for a type that is not in our list. */
export function ecosystemOfPurlType(type: string): Ecosystem | null {
  return ecosystemOfType.get(type) ?? null;
}

/** Whether the type is that of an ecosystem in our list. */
export function isKnownPurlType(type: string): boolean {
  return ecosystemOfType.has(type);
}

/**
 * Reads a package URL of a known ecosystem. Null where it is malformed, of another type, or holds a name that no registry
 * of its type could have. The name keeps its case.
 */
export function parsePurl(text: string): PackageCoordinate | null {
  const [, , path = ''] = text.length > maxLength ? [] : (shape.exec(text) ?? []);
  const raw = path.split('/').filter((segment) => segment !== '');
  const last = raw.pop() ?? '';
  // Only the last segment can carry a version: a slash inside a version is percent-encoded.
  const at = last.indexOf('@', 1);
  const version = at === -1 ? null : decode(last.slice(at + 1));
  if (at !== -1 && !packageVersion.safeParse(version).success) return null;
  const ecosystem = ecosystemOfType.get(purlType(text) ?? '');
  const names = readSegments([...raw, at === -1 ? last : last.slice(0, at)]);
  if (ecosystem === undefined || names.length === 0) return null;
  const name = packageName.safeParse(namingRules[ecosystem].fromPath(names));
  return name.success ? { ecosystem, name: name.data, version } : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The decoded names of the path. Empty where one is malformed, could climb to a parent folder, or holds an `@` that does
 * not open a scope. An encoded slash separates too: some tools encode a whole Go module path or npm name.
 */
function readSegments(raw: readonly string[]): string[] {
  const names = raw.flatMap((segment) => decode(segment)?.split('/') ?? ['']);
  return names.some((name) => name === '' || name === '.' || name === '..' || name.includes('@', 1)) ? [] : names;
}

/** The canonical package URL, without a version where `version` is null. */
export function printPurl({ ecosystem, name, version }: PackageCoordinate): string {
  const { type, toPath } = namingRules[ecosystem];
  const path = toPath(name).split('/').map(encode).join('/');
  return `pkg:${type}/${path}${version === null ? '' : `@${encode(version)}`}`;
}

/** Percent-encoding of ECMA-427, 5.4: letters, digits and `.-_~` stay, and so does the colon. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The name as the registry compares it: what advisories are matched by. */
export function normaliseName(ecosystem: Ecosystem, name: string): string {
  return namingRules[ecosystem].normalise(name.trim());
}
