import type { ImageConfig } from '../containers/image-config.js';

/** A package with a vulnerability, as a scanner's report tells it. */
export interface ReportedVulnerability {
  readonly id: string;
  readonly title: string;
  readonly packageName: string;
  readonly packageVersion: string;
  /** The package URL's type where the report gives one, else what it means by its own word. */
  readonly packageType: string;
  /** Where the package lies, where packages differ by it; null for the system's own packages. */
  readonly path: string | null;
  readonly fixedVersion: string | null;
  /** The scanner's own word for its severity. */
  readonly label: string;
  /** CVSS vectors, the best source's first. */
  readonly vectors: readonly string[];
  /** CVEs that the report says it is about, beside its id. */
  readonly relatedCves: readonly string[];
  /** First and last of the layers that the package can have come with, from 0; null where the report does not tell. */
  readonly layers: readonly [first: number, last: number] | null;
  /** The report itself passes over it. */
  readonly suppressed: boolean;
}

/** What a report says of the image, whichever scanner wrote it. */
export interface ContainerReport {
  readonly scanner: 'trivy' | 'grype';
  /** As the report spells it; null where it is not about an image, or names none. */
  readonly imageName: string | null;
  /** Names with digest, `repository@sha256:…`. */
  readonly repoDigests: readonly string[];
  /** What stands for the registry's digest where it is not known. */
  readonly manifestDigest: string | null;
  /** As `debian 10.13`. */
  readonly os: string | null;
  /** Diff ids, base first. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
  readonly vulnerabilities: readonly ReportedVulnerability[];
  /** What the report tells beside vulnerabilities. */
  readonly leftOut: { readonly misconfigurations: number; readonly secrets: number };
}

/**
 * The name of an image that a scanner was asked for: the one that was given where it is one of the image's tags, else its
 * first tag. What is left without a tag is no name where it is an archive's or an id's.
 */
export function imageNameOf(asked: string, tags: readonly string[]): string | null {
  const known = tags.filter((tag) => tag !== '');
  if (known.includes(asked)) return asked;
  if (known[0] !== undefined) return known[0];
  return asked === '' || /\.(?:tar|tar\.gz|tgz)$/.test(asked) || /^(?:sha256:)?[0-9a-f]{12,64}$/.test(asked)
    ? null
    : asked;
}

/** Package URL types (https://github.com/package-url/purl-spec) by the scanners' own words. */
const typesByWord: Readonly<Record<string, readonly string[]>> = {
  deb: ['debian', 'ubuntu'],
  apk: ['alpine', 'wolfi', 'chainguard'],
  rpm: [
    'redhat',
    'centos',
    'rocky',
    'alma',
    'oracle',
    'amazon',
    'fedora',
    'photon',
    'cbl-mariner',
    'azurelinux',
    'suse',
  ],
  npm: ['node-pkg', 'yarn', 'pnpm', 'bun'],
  pypi: ['python-pkg', 'python', 'pip', 'pipenv', 'poetry', 'uv'],
  maven: ['jar', 'pom', 'gradle', 'sbt', 'java-archive'],
  golang: ['gobinary', 'gomod', 'go-module'],
  gem: ['gemspec', 'bundler'],
  cargo: ['rustbinary', 'rust-crate'],
  composer: ['composer-vendor', 'php-composer'],
  nuget: ['dotnet-core', 'dotnet', 'packages-props'],
};

const typeOfWord = new Map(Object.entries(typesByWord).flatMap(([type, words]) => words.map((word) => [word, type])));

/** The type of a package: that of its URL, else what the scanner's word stands for, else the word. */
export function packageTypeOf(purl: string | undefined, word: string): string {
  const type = /^pkg:([a-z0-9.+-]{1,64})\//i.exec(purl ?? '')?.[1]?.toLowerCase();
  return type ?? typeOfWord.get(word) ?? (/suse/.test(word) ? 'rpm' : word);
}

const systemTypes = new Set(['deb', 'apk', 'rpm', 'alpm', 'portage']);

/** Packages that the system's package manager keeps: one database, and so no path tells one from another. */
export function isSystemPackage(type: string): boolean {
  return systemTypes.has(type);
}
