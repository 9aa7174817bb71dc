import * as z from 'zod';
import { isRecord } from '../../../shared/json/is-record.js';
import { replaceUnstorableEscapes } from '../../http/storable-text.js';
import {
  type ImageConfig,
  type ImageScan,
  imageConfig,
  imageNameOf,
  isSystemPackage,
  labelOf,
  noConfig,
  packageTypeOf,
  type ReportedVulnerability,
} from '../image-scan.js';
import type { Intake } from '../intake.js';
import { listOf, orNull, requiredText, text, textOrEmpty } from '../lenient.js';
import { parseReport } from '../parse-report.js';

const cvss = z.object({ vector: text });

const match = z.object({
  vulnerability: z.object({
    id: requiredText,
    severity: textOrEmpty,
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
});

/** Reads Grype's report. A scan of a directory or an SBOM names no image. */
export async function readGrype(given: unknown, intake: Intake): Promise<ImageScan[]> {
  const report = parseReport('containers', grypeReport, given);
  const { source, distro } = report;
  const target = source?.type === 'image' ? imageTarget.safeParse(source.target).data : undefined;
  const config = await readConfig(target?.config ?? null);
  const layers = target?.layers?.map(({ digest }) => digest) ?? config.rootfs?.diff_ids ?? [];
  const places = new Map(layers.map((layer, place) => [layer, place]));
  const vulnerabilities: ReportedVulnerability[] = [];
  for (const list of ['matches', 'ignoredMatches'] as const) {
    for await (const each of intake.rows(match, report[list] ?? [], [list]))
      vulnerabilities.push(toVulnerability(each, places, list === 'ignoredMatches'));
  }
  intake.requireReadable(false);
  return [
    {
      imageName: target === undefined ? null : imageNameOf(target.userInput.replace(scheme, ''), target.tags),
      artifact: target === undefined && source !== null ? artifactOf(source) : null,
      repoDigests: target?.repoDigests ?? [],
      manifestDigest: target?.manifestDigest || null,
      os: `${distro?.name ?? ''} ${distro?.version ?? ''}`.trim() || null,
      layers,
      config,
      vulnerabilities,
      complete: intake.skipped === 0,
    },
  ];
}

/** What Grype scanned: a folder, a file or an SBOM. */
function artifactOf({ type, target }: { readonly type: string; readonly target?: unknown }): string {
  if (type === 'directory') return 'a directory';
  if (type === 'file') return 'a file';
  return /sbom|purl/i.test(type) || (isRecord(target) && 'sbom' in target) ? 'an SBOM' : 'another thing';
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
    path: isSystemPackage(packageType) ? null : (artifact.locations[0]?.path ?? null),
    fixedVersion: fix?.versions.join(', ') || vulnerability.fixedInVersion || null,
    label: labelOf(vulnerability.severity),
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
