import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import {
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

const vector = z.string().nullish();

const vulnerability = z.object({
  VulnerabilityID: z.string().min(1),
  PkgName: z.string().min(1),
  InstalledVersion: textOrEmpty,
  FixedVersion: textOrEmpty,
  PkgPath: textOrEmpty,
  PkgIdentifier: z.object({ PURL: z.string().optional() }).nullish(),
  Layer: z.object({ DiffID: z.string().optional() }).nullish(),
  Title: textOrEmpty,
  Description: textOrEmpty,
  Severity: textOrEmpty,
  SeveritySource: textOrEmpty,
  /** The database that named the package. */
  DataSource: z.object({ ID: textOrEmpty }).nullish().catch(null),
  /** By source, 0 to 4. */
  VendorSeverity: z.record(z.string(), z.number()).nullish().catch(null),
  CVSS: z.record(z.string(), z.object({ V2Vector: vector, V3Vector: vector, V40Vector: vector })).nullish(),
});

type Vulnerability = z.output<typeof vulnerability>;

const result = z.object({
  Target: textOrEmpty,
  Class: textOrEmpty,
  Type: textOrEmpty,
  /** Read one by one. */
  Vulnerabilities: listOf(z.unknown()),
  Misconfigurations: listOf(z.unknown()),
  Secrets: listOf(z.unknown()),
  /** What an ignore file, a policy or a VEX statement has removed; misconfigurations are among it. */
  ExperimentalModifiedFindings: listOf(z.object({ Type: textOrEmpty, Finding: z.unknown() })),
});

type Result = z.output<typeof result>;

/** Trivy's JSON of schema 2 as far as vulnerabilities need it (`pkg/types/report.go`). */
const trivyReport = z.object({
  SchemaVersion: z.literal(2),
  ArtifactName: textOrEmpty,
  ArtifactType: textOrEmpty,
  CreatedAt: z.string().nullish().catch(null),
  Metadata: z
    .object({
      OS: z.object({ Family: textOrEmpty, Name: textOrEmpty }).nullish(),
      RepoTags: listOf(z.string()),
      RepoDigests: listOf(z.string()),
      DiffIDs: listOf(z.string()),
      ImageConfig: imageConfig.nullish(),
    })
    .nullish(),
  Results: listOf(result),
});

/** Reads Trivy's report. A scan of a file system or a repository names no image. */
export async function readTrivy(given: unknown): Promise<ImageScan> {
  const report = parseReport('containers', trivyReport, given);
  const { Metadata: metadata, Results: results } = report;
  const config = metadata?.ImageConfig ?? { history: [] };
  const layers = config.rootfs?.diff_ids ?? metadata?.DiffIDs ?? [];
  const places = new Map(layers.map((layer, place) => [layer, place]));
  const os = metadata?.OS;
  const vulnerabilities: ReportedVulnerability[] = [];
  for (const [at, each] of results.entries()) await readResult(each, `Results.${at}`, places, vulnerabilities);
  return {
    seer: { tool: 'trivy', scope: [report.ArtifactType === 'container_image' ? 'image' : 'files'] },
    parts: partsOf(results),
    reportedAt: reportTime(report.CreatedAt),
    imageName:
      report.ArtifactType === 'container_image' ? imageNameOf(report.ArtifactName, metadata?.RepoTags ?? []) : null,
    repoDigests: metadata?.RepoDigests ?? [],
    manifestDigest: null,
    os: os === null || os === undefined ? null : `${os.Family} ${os.Name}`.trim() || null,
    layers,
    config,
    vulnerabilities,
    leftOut: {
      misconfigurations: results.flatMap(({ Misconfigurations }) => Misconfigurations).length,
      secrets: results.flatMap(({ Secrets }) => Secrets).length,
    },
  };
}

/**
 * What a report shows that it searched for vulnerabilities. A search of one kind of packages (`--pkg-types`) lists only
 * results of that kind. A search for licences lists packages too, though it may have looked for no vulnerability.
 */
function partsOf(results: readonly Result[]): ImagePart[] {
  const ofPackages = results.filter(
    ({ Class, Type }) => Class === 'os-pkgs' || Class === 'lang-pkgs' || (Class === '' && Type !== ''),
  );
  const hasFound = results.some(
    ({ Vulnerabilities, ExperimentalModifiedFindings }) =>
      Vulnerabilities.length + ExperimentalModifiedFindings.length > 0,
  );
  if (!hasFound && results.some(({ Class }) => Class.startsWith('license'))) return [];
  const partOf = ({ Class, Type }: Result): ImagePart =>
    Class === '' ? imagePartOf(packageTypeOf(undefined, Type)) : Class === 'os-pkgs' ? 'os' : 'library';
  return [...new Set(ofPackages.map(partOf))];
}

/** Adds the vulnerabilities of a result, then those that were removed from it. */
async function readResult(
  given: Result,
  place: string,
  layers: ReadonlyMap<string, number>,
  vulnerabilities: ReportedVulnerability[],
): Promise<void> {
  const yieldNow = yieldToEventLoop();
  const parsed = parseEach('containers', vulnerability, given.Vulnerabilities, `${place}.Vulnerabilities`, yieldNow);
  for await (const each of parsed) vulnerabilities.push(toVulnerability(each, given, layers, false));
  for (const { Type, Finding } of given.ExperimentalModifiedFindings) {
    await yieldNow();
    const removed = vulnerability.safeParse(Finding).data;
    if (Type === 'vulnerability' && removed !== undefined)
      vulnerabilities.push(toVulnerability(removed, given, layers, true));
  }
}

function toVulnerability(
  given: Vulnerability,
  { Target, Class, Type }: Result,
  places: ReadonlyMap<string, number>,
  suppressed: boolean,
): ReportedVulnerability {
  const packageType = packageTypeOf(given.PkgIdentifier?.PURL, Type);
  const isSystem = Class === 'os-pkgs' || isSystemPackage(packageType);
  const place = places.get(given.Layer?.DiffID ?? '');
  return {
    id: given.VulnerabilityID,
    title: given.Title || given.Description,
    packageName: given.PkgName,
    packageVersion: given.InstalledVersion,
    packageType,
    purl: given.PkgIdentifier?.PURL ?? null,
    // Packages of a lock file have no path; the file is the result's target.
    path: isSystem ? null : given.PkgPath || Target,
    fixedVersion: given.FixedVersion || null,
    ...severityOf(given),
    vectors: vectorsOf(given),
    relatedCves: [],
    // Trivy names the layer in which a system package got its version, not the last one that changed the database.
    layers: place === undefined ? null : [place, place],
    suppressed,
  };
}

/**
 * Trivy's severity with its source. Reports of versions before 0.20 name none. Where Trivy knows no severity, that of the
 * database counts that named the package.
 */
function severityOf({ Severity, SeveritySource, DataSource, VendorSeverity, CVSS }: Vulnerability) {
  const database = DataSource?.ID ?? '';
  const rank =
    VendorSeverity !== null && VendorSeverity !== undefined && Object.hasOwn(VendorSeverity, database)
      ? VendorSeverity[database]
      : undefined;
  const own = vendorSeverityOf(Severity, SeveritySource);
  const word = own === null ? (ranked[rank ?? 0] ?? '') : Severity;
  const source = own === null ? database : SeveritySource;
  return {
    label: labelOf(word),
    vendorSeverity: own ?? vendorSeverityOf(word, source),
    vendorVectors: vectorsBy(CVSS, source),
  };
}

/** Trivy's severities by number; 0 is unknown. */
const ranked = ['', 'low', 'medium', 'high', 'critical'] as const;

/** Vectors, first those of the source that Trivy took the severity from, then GitHub's, NVD's and the other vendors'. */
function vectorsOf({ CVSS, SeveritySource }: Vulnerability): string[] {
  const names = [...new Set([SeveritySource, 'ghsa', 'nvd', ...Object.keys(CVSS ?? {}).sort()])];
  return names.flatMap((name) => vectorsBy(CVSS, name));
}

function vectorsBy(CVSS: Vulnerability['CVSS'], source: string): string[] {
  const sources = CVSS ?? {};
  const { V2Vector, V3Vector, V40Vector } = Object.hasOwn(sources, source) ? (sources[source] ?? {}) : {};
  return [V3Vector, V40Vector, V2Vector].filter((each) => typeof each === 'string');
}
