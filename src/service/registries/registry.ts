import * as z from 'zod';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { readCratesIndex } from './crates-index.js';
import { type Listing, versionsOnly } from './listing.js';
import { readNpmDocument } from './npm-document.js';
import { readPackagistDocument } from './packagist-document.js';
import { readSimpleIndex } from './simple-index.js';

/** How a registry is asked whether it has a package, and a version of it. */
export interface Registry {
  /** The public one. */
  readonly url: string;
  readonly question: (name: string, version: string) => Question;
  /** The document with all versions of a package. */
  readonly list: (name: string) => VersionList;
}

interface VersionList {
  readonly path: string;
  readonly accept?: string;
  /** Throws for a text of another shape. A single odd release is left out. */
  readonly read: (text: string) => Listing;
}

/**
 * Paths below the registry's URL.
 * - `exists`: one address for the version and one for the package; each is answered with 200 or 404.
 * - `lists`: one document with all versions.
 */
type Question =
  | { readonly kind: 'exists'; readonly version: string; readonly package: string }
  | ({ readonly kind: 'lists' } & VersionList);

const versionsSchema = z.object({ versions: z.array(z.string()) });
const gemSchema = z.array(z.object({ number: z.string() }));
const mavenSchema = /<versioning>.*?<versions>(.*?)<\/versions>/s;

/** The read APIs that each registry documents for its clients. */
export const registries: Readonly<Record<Ecosystem, Registry>> = {
  // https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
  npm: {
    url: 'https://registry.npmjs.org',
    question: (name, version) => exists(`/${encode(name)}/${encode(version)}`, `/${encode(name)}/latest`),
    list: (name) => ({
      path: `/${encode(name)}`,
      // Without the texts of each version.
      accept: 'application/vnd.npm.install-v1+json',
      read: readNpmDocument,
    }),
  },
  // https://docs.pypi.org/api/json/
  PyPI: {
    url: 'https://pypi.org',
    question: (name, version) => {
      // Another spelling is answered with a redirect.
      const at = `/pypi/${encode(normaliseName('PyPI', name))}`;
      return exists(`${at}/${encode(version)}/json`, `${at}/json`);
    },
    // https://peps.python.org/pep-0700/
    list: (name) => ({
      path: `/simple/${encode(normaliseName('PyPI', name))}/`,
      accept: 'application/vnd.pypi.simple.v1+json',
      read: readSimpleIndex,
    }),
  },
  // https://go.dev/ref/mod#goproxy-protocol
  Go: {
    url: 'https://proxy.golang.org',
    question: (name, version) => {
      const at = `/${encodePath(goEscape(name))}/@v`;
      return exists(`${at}/${encode(goEscape(version.startsWith('v') ? version : `v${version}`))}.info`, `${at}/list`);
    },
    list: (name) => ({ path: `/${encodePath(goEscape(name))}/@v/list`, read: (text) => versionsOnly(linesOf(text)) }),
  },
  // https://doc.rust-lang.org/cargo/reference/registry-index.html
  'crates.io': {
    url: 'https://index.crates.io',
    question: (name) => ({ kind: 'lists', ...crates(name) }),
    list: crates,
  },
  // https://maven.apache.org/repositories/layout.html
  Maven: {
    url: 'https://repo1.maven.org/maven2',
    question: (name, version) => {
      const [group = '', artifact = ''] = name.split(':');
      const at = `/${encodePath(group.replaceAll('.', '/'))}/${encode(artifact)}`;
      return exists(`${at}/${encode(version)}/${encode(`${artifact}-${version}`)}.pom`, `${at}/maven-metadata.xml`);
    },
    list: (name) => {
      const [group = '', artifact = ''] = name.split(':');
      const path = `/${encodePath(group.replaceAll('.', '/'))}/${encode(artifact)}/maven-metadata.xml`;
      return { path, read: (text) => versionsOnly(mavenVersions(text)) };
    },
  },
  // https://guides.rubygems.org/rubygems-org-api/
  RubyGems: {
    url: 'https://rubygems.org',
    question: (name, version) =>
      exists(`/api/v2/rubygems/${encode(name)}/versions/${encode(version)}.json`, `/api/v1/gems/${encode(name)}.json`),
    list: (name) => ({
      path: `/api/v1/versions/${encode(name)}.json`,
      read: (text) => versionsOnly(gemSchema.parse(JSON.parse(text)).map(({ number }) => number)),
    }),
  },
  // https://learn.microsoft.com/nuget/api/package-base-address-resource
  NuGet: {
    url: 'https://api.nuget.org/v3-flatcontainer',
    question: (name) => ({ kind: 'lists', ...nuget(name) }),
    list: nuget,
  },
  // https://packagist.org/apidoc#get-package-data
  Packagist: {
    url: 'https://repo.packagist.org',
    question: (name) => ({ kind: 'lists', ...packagist(name) }),
    list: packagist,
  },
};

function exists(version: string, packagePath: string): Question {
  return { kind: 'exists', version, package: packagePath };
}

function encode(text: string): string {
  return encodeURIComponent(text);
}

/** A name with slashes, each part encoded by itself. */
function encodePath(text: string): string {
  return text.split('/').map(encode).join('/');
}

/** The module proxy's file system may not tell upper from lower case: a capital becomes `!` and the small letter. */
function goEscape(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

/** Short names have folders of their own; others are sorted by their first four letters. */
function cratePath(name: string): string {
  if (name.length <= 2) return `${name.length}/${encode(name)}`;
  if (name.length === 3) return `3/${encode(name.slice(0, 1))}/${encode(name)}`;
  return `${encode(name.slice(0, 2))}/${encode(name.slice(2, 4))}/${encode(name)}`;
}

function crates(name: string): VersionList {
  return { path: `/${cratePath(name.toLowerCase())}`, read: readCratesIndex };
}

function nuget(name: string): VersionList {
  const read = (text: string) => versionsOnly(versionsSchema.parse(JSON.parse(text)).versions);
  return { path: `/${encode(name.toLowerCase())}/index.json`, read };
}

function packagist(name: string): VersionList {
  return { path: `/p2/${encodePath(name.toLowerCase())}.json`, read: readPackagistDocument };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** A repository's metadata is written by machines: its list of versions holds nothing else. */
function mavenVersions(text: string): string[] {
  const list = mavenSchema.exec(text)?.[1];
  if (list === undefined) throw new Error('no list of versions');
  return [...list.matchAll(/<version>([^<]+)<\/version>/g)].map(([, version = '']) => version.trim());
}
