import * as z from 'zod';
import { findingSeverityOfAdvisory, type VendorSeverity, vendorSeverity } from '../../procedures/findings.js';
import { severity } from '../../procedures/vulnerability.js';
import { onOneLine } from '../../shared/text/cut.js';
import type { Seer } from '../findings/scan.js';
import { listOf, orNull, recordOf } from './lenient.js';

/** An image's configuration as far as its base follows from it (OCI image spec, `config.md`). */
export const imageConfig = z.object({
  // A step or layer that cannot be read would move those behind it.
  history: z.array(z.object({ created_by: z.string().optional(), empty_layer: z.boolean().optional() })).catch([]),
  rootfs: orNull(z.object({ diff_ids: orNull(z.array(z.string())) })),
  config: orNull(z.object({ Labels: recordOf(z.string()), Env: listOf(z.string()) })),
});

export type ImageConfig = z.output<typeof imageConfig>;

/** What is known of an image that a report does not describe. */
export const noConfig: ImageConfig = { history: [], rootfs: null, config: null };

/** A vulnerability of a package, as a scanner reports it. */
export interface ReportedVulnerability {
  readonly id: string;
  readonly title: string;
  readonly packageName: string;
  readonly packageVersion: string;
  /** The package URL, where the report has one. */
  readonly purl: string | null;
  /** See `packageTypeOf`. */
  readonly packageType: string;
  /** Where the package is; null for the system's own packages, of which one image has each once. */
  readonly path: string | null;
  readonly fixedVersion: string | null;
  /** The scanner's own severity; null where it gives none. */
  readonly label: Label | null;
  /** CVSS vectors, the best source's first. */
  readonly vectors: readonly string[];
  /** The word that the label is made of, and whose it is: `nvd`, `ghsa`, a distribution; null where it is not known. */
  readonly vendorSeverity: VendorSeverity | null;
  /** The vectors of that source. */
  readonly vendorVectors: readonly string[];
  /** Other CVEs that the report gives for it. */
  readonly relatedCves: readonly string[];
  /** First and last of the layers, from 0, that may have brought the package; null where the report does not say. */
  readonly layers: readonly [first: number, last: number] | null;
  /** The report itself ignores it. */
  readonly suppressed: boolean;
}

type Label = z.output<typeof severity>;

/** A scanner's word as a label. `Negligible` is Debian's and Ubuntu's; `Unknown`, and any other word, gives none. */
export function labelOf(word: string): Label | null {
  const lower = word.toLowerCase();
  if (lower === 'negligible') return 'low';
  return severity.options.find((each) => findingSeverityOfAdvisory[each] === lower) ?? null;
}

/** A scanner's word with its source; null for `Unknown`, and for any other word. */
export function vendorSeverityOf(word: string, source: string | null): VendorSeverity | null {
  const severity = vendorSeverity.shape.severity.safeParse(word.toLowerCase()).data;
  if (severity === undefined) return null;
  const name = onOneLine(source ?? '', maxSource).toLowerCase();
  return { severity, source: name === '' ? null : name };
}

/** Characters of a source's name. */
const maxSource = 40;

/** The parts of an image that a scan may search alone. */
export type ImagePart = 'os' | 'library';

export function imagePartOf(packageType: string): ImagePart {
  return isSystemPackage(packageType) ? 'os' : 'library';
}

/** What a report says of an image, whichever scanner wrote it. */
export interface ImageScan {
  /** The scanner, and within which limits it looked; as in `Seer`. */
  readonly seer: Seer;
  /** What the report shows that it searched to the end. Empty where a row of the image could not be read. */
  readonly parts: readonly ImagePart[];
  /** Whether the report says what the scanner was asked to leave out. */
  readonly filters: 'stated' | 'unstated';
  /** All packages of a part, as `name@version`, whatever is known against them. Only of parts that the report lists so. */
  readonly packages: ReadonlyMap<ImagePart, ReadonlySet<string>>;
  /** When the report was made; null where it does not say. */
  readonly reportedAt: Date | null;
  /** As the report spells it; null where it is not about an image, or names none. */
  readonly imageName: string | null;
  /** What was scanned, where that is no image: `a repository`. */
  readonly artifact: string | null;
  /** Names with digest, `repository@sha256:…`. */
  readonly repoDigests: readonly string[];
  /** Replaces the registry's digest where that is not known. */
  readonly manifestDigest: string | null;
  /** As `debian 10.13`. */
  readonly os: string | null;
  /** Diff ids, base first. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
  readonly vulnerabilities: readonly ReportedVulnerability[];
}

/**
 * The name of a scanned image: the name that the scanner was given if that is one of the image's tags, else the first tag.
 * Without tags it is the given name, unless that is an archive's or an id.
 */
export function imageNameOf(given: string, tags: readonly string[]): string | null {
  const known = tags.filter((tag) => tag !== '');
  if (known.includes(given)) return given;
  if (known[0] !== undefined) return known[0];
  return given === '' || /\.(?:tar|tar\.gz|tgz)$/.test(given) || /^(?:sha256:)?[0-9a-f]{12,64}$/.test(given)
    ? null
    : given;
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

/** The type of a package: that of its package URL, else the type that the scanner's word means, else the word. */
export function packageTypeOf(purl: string | null, word: string): string {
  const type = /^pkg:([a-z0-9.+-]{1,64})\//i.exec(purl ?? '')?.[1]?.toLowerCase();
  return type ?? typeOfWord.get(word) ?? (/suse/.test(word) ? 'rpm' : word);
}

const systemTypes = new Set(['deb', 'apk', 'rpm', 'alpm', 'portage']);

/** Packages of the system's package manager: it has one database, so packages do not differ by their path. */
export function isSystemPackage(type: string): boolean {
  return systemTypes.has(type);
}
