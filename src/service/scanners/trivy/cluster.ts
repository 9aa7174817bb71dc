import * as z from 'zod';
import { head, onOneLine } from '../../../shared/text/cut.js';
import type { ImagePart, ImageScan, ReportedVulnerability } from '../image-scan.js';
import type { Intake, RowPath } from '../intake.js';
import { listOf, textOrEmpty } from '../lenient.js';
import { unreadableReport } from '../parse-report.js';
import type { Report } from '../scanner.js';
import { imageFactsOf, layerPlaces, type Metadata, metadata } from './metadata.js';
import {
  isOfPackages,
  leaveOutOthers,
  partsOf,
  type Result,
  readVulnerabilities,
  resultsIn,
  vulnerabilityCount,
} from './results.js';

/**
 * The lists of resources in Trivy's report of a Kubernetes cluster (`pkg/k8s/report/report.go`): with `--report all`, with
 * `--report summary`, and as versions before 0.30 wrote them.
 */
const lists = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'] as const;

const cluster = z.object(Object.fromEntries(lists.map((list) => [list, z.unknown().optional()])));

const resource = z.object({
  Error: textOrEmpty,
  /** One for each image; an object in older versions, absent in the first ones. */
  Metadata: z.preprocess((given) => (Array.isArray(given) ? given : [given]), listOf(metadata)),
  Results: z.unknown().optional(),
});

interface ImageRows {
  readonly metadata: Metadata | null;
  readonly vulnerabilities: ReportedVulnerability[];
  readonly parts: Set<ImagePart>;
  complete: boolean;
}

/** Reads the images of a cluster. One that several resources run is one image. Other requests are served meanwhile. */
export async function readCluster(given: Report, intake: Intake): Promise<ImageScan[]> {
  const read = cluster.parse(given);
  const images = new Map<string, ImageRows>();
  for (const list of lists) {
    const resources = read[list];
    if (!Array.isArray(resources)) continue;
    for (const [at, each] of resources.entries()) await readResource(each, [list, at], images, intake);
  }
  intake.requireReadable([...images.values()].some(({ complete }) => complete));
  if (lists.every((list) => read[list] === undefined))
    throw unreadableReport('containers', 'Resources', 'is required: write the report with --report all');
  return [...images].map(([imageName, { metadata: known, vulnerabilities, parts, complete }]) => ({
    ...imageFactsOf(known),
    seer: { tool: 'trivy', scope: ['image'] },
    // What is missing in a report with unreadable rows may still be there.
    filters: 'unstated',
    packages: new Map(),
    parts: complete ? [...parts] : [],
    reportedAt: null,
    vulnerabilities,
    imageName,
    artifact: null,
  }));
}

async function readResource(
  given: unknown,
  place: RowPath,
  images: Map<string, ImageRows>,
  intake: Intake,
): Promise<void> {
  const before = intake.skipped;
  const read = intake.part(resource, given, place);
  if (read === null) return;
  if (read.Error !== '') intake.skip(place, `was not scanned: ${onOneLine(read.Error, 150)}`);
  const results = resultsIn(read.Results, [...place, 'Results'], intake);
  const nameOf = imageNamer(results, read.Metadata);
  const named = new Set<ImageRows>();
  for (const each of results) {
    leaveOutOthers(each, intake);
    if (!isOfPackages(each)) continue;
    const found = nameOf(each);
    if (found === null) {
      const rows = vulnerabilityCount(each);
      if (rows > 0) intake.skip([...each.place, 'Vulnerabilities'], unnamed, '', rows);
      continue;
    }
    const known = images.get(found.name) ?? newImage(found.metadata);
    images.set(found.name, known);
    named.add(known);
    for (const part of partsOf([each])) known.parts.add(part);
    const layers = layerPlaces(imageFactsOf(known.metadata));
    await readVulnerabilities(each, layers, known.vulnerabilities, intake);
  }
  if (intake.skipped > before) for (const each of named) each.complete = false;
}

function newImage(known: Metadata | null): ImageRows {
  return { metadata: known, vulnerabilities: [], parts: new Set(), complete: true };
}

const unnamed = 'are of a resource that does not name their image, as a newer Trivy does';

/** The image that a result is of; null where the resource does not say it. */
type ImageNamer = (result: Result) => { readonly name: string; readonly metadata: Metadata | null } | null;

/**
 * The result of an image's system packages has the image's name as its target, as `docker.io/redis:6.0.5 (debian 10.4)`. The
 * resource's other results are of the same image where it has only one.
 */
function imageNamer(results: readonly Result[], known: readonly Metadata[]): ImageNamer {
  const described = known.filter((each) => namesOf(each).length > 0);
  const targets = [...new Set(results.flatMap((each) => targetOf(each) ?? []))];
  const [only = null] = targets.length <= 1 && described.length <= 1 ? described : [];
  const isSingle = targets.length === 1 && described.length <= 1;
  const onlyName = isSingle ? targets[0] : only === null ? undefined : namesOf(only)[0];
  return (result) => {
    const name = targetOf(result) ?? onlyName;
    if (name === undefined) return null;
    return { name, metadata: only ?? described.find((each) => namesOf(each).includes(name)) ?? null };
  };
}

function namesOf({ RepoTags, RepoDigests }: Metadata): string[] {
  return [...RepoTags, ...RepoDigests].filter((name) => imageShape.test(name));
}

function targetOf({ Class, Target }: Result): string | null {
  if (Class !== 'os-pkgs') return null;
  const name = head(Target, 1024)
    .replace(/ \([^()]*\)$/, '')
    .trim();
  return imageShape.test(name) ? name : null;
}

/** An image's name as runtimes write it, in lower case up to its tag. */
const imageShape =
  /^(?:[a-z0-9.-]+(?::\d{1,5})?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;
