import * as z from 'zod';
import { isRecord } from '../../../shared/json/is-record.js';
import { replaceUnstorableEscapes } from '../../http/storable-text.js';
import {
  type ImageConfig,
  type ImagePart,
  type ImageScan,
  imageConfig,
  imageNameOf,
  imagePartOf,
  isSystemPackage,
  labelOf,
  noConfig,
  packageTypeOf,
  type ReportedVulnerability,
  vendorSeverityOf,
} from '../image-scan.js';
import type { Intake } from '../intake.js';
import { listOf, orNull, requiredText, text, textOrEmpty } from '../lenient.js';
import { parseReport } from '../parse-report.js';
import { reportTime } from '../report-time.js';
import { limitsOf } from './limits.js';
import { sourceOf } from './namespace.js';

const cvss = z.object({ vector: text });

const match = z.object({
  vulnerability: z.object({
    id: requiredText,
    severity: textOrEmpty,
    namespace: textOrEmpty,
    description: textOrEmpty,
    cvss: listOf(cvss),
    /** As versions before 0.13 write it. */
    cvssV2: orNull(cvss),
    cvssV3: orNull(cvss),
    fix: orNull(z.object({ versions: listOf(z.string()) })),
    fixedInVersion: textOrEmpty,
  }),
  relatedVulnerabilities: listOf(z.object({ id: z.string(), cvss: listOf(cvss) })),
  artifact: z.object({
    name: requiredText,
    version: textOrEmpty,
    type: textOrEmpty,
    purl: text,
    locations: listOf(z.object({ path: textOrEmpty, layerID: textOrEmpty })),
  }),
});

type Match = z.output<typeof match>;

const imageTarget = z.object({
  userInput: textOrEmpty,
  manifestDigest: textOrEmpty,
  tags: listOf(z.string()),
  repoDigests: listOf(z.string()),
  layers: orNull(z.array(z.object({ digest: z.string() }))),
  /** The image's configuration in base64. */
  config: text,
});

/** Grype's JSON as far as vulnerabilities need it (`grype/presenter/models`). */
const grypeReport = z.object({
  /** Read one by one. */
  matches: z.array(z.unknown()),
  /** Matches that an ignore rule or a VEX statement has removed. */
  ignoredMatches: z.array(z.unknown()).nullish(),
  source: orNull(z.object({ type: textOrEmpty, target: z.unknown().optional() })),
  distro: orNull(z.object({ name: textOrEmpty, version: textOrEmpty })),
  descriptor: orNull(z.object({ timestamp: text, configuration: z.unknown().optional() })),
});

/** Reads Grype's report. A scan of a directory or an SBOM names no image. */
export async function readGrype(given: unknown, intake: Intake): Promise<ImageScan[]> {
  const report = parseReport('containers', grypeReport, given);
  const { source, distro, descriptor } = report;
  const target = source?.type === 'image' ? imageTarget.safeParse(source.target).data : undefined;
  const config = await readConfig(target?.config ?? null);
  const layers = target?.layers?.map(({ digest }) => digest) ?? config.rootfs?.diff_ids ?? [];
  const places = new Map(layers.map((layer, place) => [layer, place]));
  const vulnerabilities: ReportedVulnerability[] = [];
  for (const list of ['matches', 'ignoredMatches'] as const) {
    for await (const each of intake.rows(match, report[list] ?? [], [list]))
      vulnerabilities.push(toVulnerability(each, places, distro?.name ?? '', list === 'ignoredMatches'));
  }
  intake.requireReadable(false);
  return [
    {
      seer: { tool: 'grype', scope: limitsOf(source, descriptor?.configuration) },
      // What is missing in a report with unreadable rows may still be there.
      filters: 'stated',
      packages: new Map(),
      parts: intake.skipped > 0 ? [] : partsOf(target !== undefined, distro?.name ?? '', vulnerabilities),
      reportedAt: reportTime(descriptor?.timestamp),
      imageName: target === undefined ? null : imageNameOf(target.userInput.replace(scheme, ''), target.tags),
      artifact: target === undefined && source !== null ? artifactOf(source) : null,
      repoDigests: target?.repoDigests ?? [],
      manifestDigest: target?.manifestDigest || null,
      os: `${distro?.name ?? ''} ${distro?.version ?? ''}`.trim() || null,
      layers,
      config,
      vulnerabilities,
    },
  ];
}

/** What Grype scanned: a folder, a file or an SBOM. */
function artifactOf({ type, target }: { readonly type: string; readonly target?: unknown }): string {
  if (type === 'directory') return 'a directory';
  if (type === 'file') return 'a file';
  return /sbom|purl/i.test(type) || (isRecord(target) && 'sbom' in target) ? 'an SBOM' : 'another thing';
}

/**
 * What a report shows that it searched. In an image Grype looks for packages of every kind; those of the system only mean
 * something to it where it knows the distribution. Of another source it is what it found.
 */
function partsOf(isImage: boolean, distro: string, vulnerabilities: readonly ReportedVulnerability[]): ImagePart[] {
  const found = vulnerabilities.map(({ packageType }) => imagePartOf(packageType));
  const sure: ImagePart[] = isImage ? (distro === '' ? ['library'] : ['os', 'library']) : [];
  return [...new Set([...sure, ...found])];
}

/** The image's configuration; an empty one where the report has none. Only the image's base is then unknown. */
async function readConfig(base64: string | null): Promise<ImageConfig> {
  try {
    const json = Buffer.from(base64 ?? '', 'base64').toString('utf8');
    return imageConfig.safeParse(JSON.parse(await replaceUnstorableEscapes(json))).data ?? noConfig;
  } catch {
    return noConfig;
  }
}

/** `docker:` and the like say where Grype finds the image. */
const scheme = /^(?:docker|podman|containerd|registry|docker-archive|oci-archive|oci-dir):/;

function toVulnerability(
  { vulnerability, relatedVulnerabilities: related, artifact }: Match,
  places: ReadonlyMap<string, number>,
  distro: string,
  suppressed: boolean,
): ReportedVulnerability {
  const { cvss, cvssV2, cvssV3, fix } = vulnerability;
  const packageType = packageTypeOf(artifact.purl, artifact.type);
  const scores = [...cvss, cvssV3, cvssV2, ...related.flatMap((each) => each.cvss)];
  return {
    id: vulnerability.id,
    title: vulnerability.description,
    packageName: artifact.name,
    packageVersion: artifact.version,
    packageType,
    purl: artifact.purl ?? null,
    path: isSystemPackage(packageType) ? null : (artifact.locations[0]?.path ?? null),
    fixedVersion: fix?.versions.join(', ') || vulnerability.fixedInVersion || null,
    label: labelOf(vulnerability.severity),
    vendorSeverity: vendorSeverityOf(
      vulnerability.severity,
      // Before 0.33 a match names no source; packages of the system are matched by their distribution's data.
      sourceOf(vulnerability.namespace) ?? (isSystemPackage(packageType) ? distro : null),
    ),
    vendorVectors: [...cvss, cvssV3].flatMap((each) => each?.vector ?? []),
    vectors: scores.flatMap((each) => each?.vector ?? []),
    relatedCves: related.map(({ id }) => id).filter((id) => id.startsWith('CVE-')),
    layers: layersOf(artifact.locations, places),
    suppressed,
  };
}

/** Files in which a package manager lists all its packages: each layer that installs a package writes them. */
const packageDatabase =
  /(?:^|\/)(?:var\/lib\/dpkg\/status|lib\/apk\/db\/installed|(?:var\/lib|usr\/lib\/sysimage)\/rpm\/[^/]+)$/;

/**
 * The layers that may have brought a package. Its own files show it: the highest of their layers wrote it last. (A copyright
 * notice may be in a lower one, where packages share it.) The database that all packages share only shows that the package
 * came no later.
 */
function layersOf(
  locations: Match['artifact']['locations'],
  places: ReadonlyMap<string, number>,
): ReportedVulnerability['layers'] {
  const placesOf = (shared: boolean) =>
    locations
      .filter(({ path }) => packageDatabase.test(path) === shared)
      .flatMap(({ layerID }) => places.get(layerID) ?? []);
  const own = placesOf(false);
  if (own.length > 0) return [Math.max(...own), Math.max(...own)];
  const shared = placesOf(true);
  return shared.length > 0 ? [0, Math.max(...shared)] : null;
}
