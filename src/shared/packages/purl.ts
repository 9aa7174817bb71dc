import { type Ecosystem, ecosystems } from './ecosystem.js';
import { packageName } from './package-name.js';

/** A package; `version` is null where the package URL names none. */
export interface PackageCoordinate {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string | null;
}

/** How an ecosystem names packages, in package URLs and in its registry. docs/decisions/0015 says why. */
interface NamingRules {
  /** The package URL type (ECMA-427; https://github.com/package-url/purl-spec, `types`). */
  readonly type: string;
  /** The package's name from the names of the URL's path (one or more); null where they name no package. */
  readonly fromPath: (names: readonly string[]) => string | null;
  /** The path of a package URL, not yet encoded. */
  readonly toPath: (name: string) => string;
  /** The name in the case and with the dashes that the type asks for, in URLs that are read and in those that are printed. */
  readonly canonical: (name: string) => string;
  /** One spelling of all that the registry takes for the same package. */
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

const asWritten = { toPath: unchanged, canonical: unchanged, normalise: unchanged };
const single = { ...asWritten, fromPath: joinExactly(1, '') };

const namingRules: Readonly<Record<Ecosystem, NamingRules>> = {
  // `JSONStream` and `jsonstream` are two packages. The type asks for lower case, which would make them one.
  npm: { ...asWritten, type: 'npm', fromPath: npmName },
  PyPI: {
    ...single,
    type: 'pypi',
    canonical: (name) => name.toLowerCase().replaceAll('_', '-'),
    // PEP 503, "Normalized Names".
    normalise: (name) => name.toLowerCase().replaceAll(/[-_.]+/g, '-'),
  },
  // The proxy tells cases apart. But package URLs are in lower case, and no host has two repositories that differ by case alone.
  Go: {
    type: 'golang',
    fromPath: (names) => (names.some(isScope) ? null : names.join('/')),
    toPath: unchanged,
    canonical: lowerCase,
    normalise: lowerCase,
  },
  'crates.io': {
    ...single,
    type: 'cargo',
    // The registry refuses a new name that differs from another one in these alone.
    normalise: (name) => name.toLowerCase().replaceAll('_', '-'),
  },
  Maven: {
    type: 'maven',
    fromPath: (names) => (names.some((name) => name.includes(':')) ? null : joinExactly(2, ':')(names)),
    toPath: (name) => name.replace(':', '/'),
    canonical: unchanged,
    // A package URL's `group/artifact` is read too.
    normalise: (name) => name.replace('/', ':'),
  },
  RubyGems: { ...single, type: 'gem' },
  NuGet: { ...single, type: 'nuget', normalise: lowerCase },
  Packagist: {
    type: 'composer',
    fromPath: joinExactly(2, '/'),
    toPath: unchanged,
    canonical: lowerCase,
    normalise: lowerCase,
  },
};

const ecosystemOfType: ReadonlyMap<string, Ecosystem> = new Map(
  ecosystems.map((ecosystem) => [namingRules[ecosystem].type, ecosystem]),
);

/** Characters. Real package URLs are far shorter; the limit bounds the work on hostile ones. */
const maxLength = 1024;

const shape = /^pkg:\/*([a-z][a-z0-9.+-]*)\/([^?#]*)/i;

/** Qualifiers are pairs of a key and a value, which may be empty (ECMA-427, `qualifiers`). */
const qualifiersShape = /^[^?]*(?:\?(?:[a-z][a-z0-9.\-_]*=[^&]*(?:&|$))*)?$/i;

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
 * of its type could have. The name is in the type's canonical form. The version may hold spaces, which no registry has.
 */
export function parsePurl(text: string): PackageCoordinate | null {
  return qualifiersShape.test(text.replace(/#.*$/s, '')) ? readPurl(text) : null;
}

/**
 * The same for a package URL in a document that a tool has written: malformed qualifiers do not matter. They and the
 * subpath say where to fetch the package or what to look at in it, not which package it is.
 */
export function readPurl(text: string): PackageCoordinate | null {
  const [, , path = ''] = text.length > maxLength ? [] : (shape.exec(text) ?? []);
  const raw = path.split('/').filter((segment) => segment !== '');
  const last = raw.pop() ?? '';
  // Only the last segment can carry a version: a slash inside a version is percent-encoded.
  const at = last.indexOf('@', 1);
  const version = at === -1 ? null : decode(last.slice(at + 1));
  if (at !== -1 && !versionShape.test(version ?? '')) return null;
  const ecosystem = ecosystemOfType.get(purlType(text) ?? '');
  const names = readSegments([...raw, at === -1 ? last : last.slice(0, at)]);
  if (ecosystem === undefined || names.length === 0) return null;
  const { fromPath, canonical } = namingRules[ecosystem];
  const name = packageName.safeParse(fromPath(names));
  return name.success ? { ecosystem, name: canonical(name.data), version } : null;
}

/** As `packageVersion`, but with spaces. */
const versionShape = /^[^\p{Cc}]{1,256}$/u;

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
  const { type, toPath, canonical } = namingRules[ecosystem];
  const path = toPath(canonical(name)).split('/').map(encode).join('/');
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
