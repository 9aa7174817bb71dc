import * as z from 'zod';
import {
  type ImageConfig,
  type ImagePart,
  type ImageScan,
  imageConfig,
  imageNameOf,
  imagePartOf,
  isSystemPackage,
  labelOf,
  listOf,
  packageTypeOf,
  type ReportedVulnerability,
  textOrEmpty,
  vendorSeverityOf,
} from '../image-scan.js';
import { parseEach, parseReport } from '../parse-report.js';
import { reportTime } from '../report-time.js';
import { limitsOf } from './limits.js';
import { sourceOf } from './namespace.js';

const cvss = z.object({ vector: z.string().nullish() });

const match = z.object({
  vulnerability: z.object({
    id: z.string().min(1),
    severity: textOrEmpty,
    namespace: textOrEmpty,
    description: textOrEmpty,
    cvss: listOf(cvss),
    /** As versions before 0.13 write it. */
    cvssV2: cvss.nullish(),
    cvssV3: cvss.nullish(),
    fix: z.object({ versions: listOf(z.string()) }).nullish(),
    fixedInVersion: textOrEmpty,
  }),
  relatedVulnerabilities: listOf(z.object({ id: z.string(), cvss: listOf(cvss) })),
  artifact: z.object({
    name: z.string().min(1),
    version: textOrEmpty,
    type: textOrEmpty,
    purl: z.string().nullish(),
    locations: listOf(z.object({ path: textOrEmpty, layerID: textOrEmpty })),
  }),
});

type Match = z.output<typeof match>;

const imageTarget = z.object({
  userInput: textOrEmpty,
  manifestDigest: textOrEmpty,
  tags: listOf(z.string()),
  repoDigests: listOf(z.string()),
  layers: z.array(z.object({ digest: z.string() })).nullish(),
  /** The image's configuration in base64. */
  config: z.string().nullish(),
});

/** Grype's JSON as far as vulnerabilities need it (`grype/presenter/models`). */
const grypeReport = z.object({
  /** Read one by one. */
  matches: z.array(z.unknown()),
  /** Matches that an ignore rule or a VEX statement has removed. */
  ignoredMatches: listOf(z.unknown()),
  source: z.object({ type: textOrEmpty, target: z.unknown() }).nullish(),
  distro: z.object({ name: textOrEmpty, version: textOrEmpty }).nullish(),
  descriptor: z
    .object({ timestamp: z.string().nullish().catch(null), configuration: z.unknown() })
    .nullish()
    .catch(null),
});

/** Reads Grype's report. A scan of a directory or an SBOM names no image. */
export async function readGrype(given: unknown): Promise<ImageScan> {
  const report = parseReport('containers', grypeReport, given);
  const target = report.source?.type === 'image' ? imageTarget.safeParse(report.source.target).data : undefined;
  const config = readConfig(target?.config);
  const layers = target?.layers?.map(({ digest }) => digest) ?? config.rootfs?.diff_ids ?? [];
  const places = new Map(layers.map((layer, place) => [layer, place]));
  const { distro } = report;
  const vulnerabilities: ReportedVulnerability[] = [];
  for (const list of ['matches', 'ignoredMatches'] as const) {
    for await (const each of parseEach('containers', match, report[list], list)) {
      vulnerabilities.push(toVulnerability(each, places, distro?.name ?? '', list === 'ignoredMatches'));
    }
  }
  return {
    seer: { tool: 'grype', scope: limitsOf(report.source, report.descriptor?.configuration) },
    parts: partsOf(target !== undefined, distro?.name ?? '', vulnerabilities),
    reportedAt: reportTime(report.descriptor?.timestamp),
    imageName: target === undefined ? null : imageNameOf(target.userInput.replace(scheme, ''), target.tags),
    repoDigests: target?.repoDigests ?? [],
    manifestDigest: target?.manifestDigest || null,
    os: `${distro?.name ?? ''} ${distro?.version ?? ''}`.trim() || null,
    layers,
    config,
    vulnerabilities,
    leftOut: { misconfigurations: 0, secrets: 0 },
  };
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
function readConfig(base64: string | null | undefined): ImageConfig {
  try {
    const parsed = imageConfig.safeParse(JSON.parse(Buffer.from(base64 ?? '', 'base64').toString('utf8')));
    return parsed.data ?? { history: [] };
  } catch {
    return { history: [] };
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
  const packageType = packageTypeOf(artifact.purl ?? undefined, artifact.type);
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
