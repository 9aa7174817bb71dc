import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import { reasons } from '../../procedures/problem.js';
import type { Context, Handlers, LandingContext } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { type AppliedScan, applyScan, finishScans } from '../findings/apply-scan.js';
import type { Filter } from '../findings/filter.js';
import { contentHashOf } from '../findings/identity.js';
import { type Level, levelOf } from '../findings/level.js';
import { ApiError, invalidField } from '../http/api-error.js';
import type { Landing } from '../landing/landing.js';
import { type ProjectKey, requireProjectLock } from '../projects/find-project.js';
import type { ImageScan } from '../scanners/image-scan.js';
import { readReport } from '../scanners/index.js';
import { checkCount, unreadableReport } from '../scanners/parse-report.js';
import { sumOfScans } from '../scanners/sum-of-scans.js';
import { loadIntelligence, type Named } from './exploitation.js';
import { type ImageRef, parseImageRef, printImageRef } from './image-ref.js';
import { joinFindings } from './join-findings.js';
import { evaluateFindings, type UnevaluatedFinding, unevaluatedFindings } from './reported-findings.js';
import { type StoredImage, standImages, storeImage } from './store-image.js';

/** Images of one report. Each is a scan, and all become visible at once. */
const maxImages = 500;

/**
 * Writes the images of a report and their findings in one landing. The answer has their sums. An image's newest report,
 * uploaded again, changes nothing.
 */
export const uploadReport: Handlers['containers']['uploadReport'] = {
  async read({ project_id, image, complete, report }) {
    const { format, scan, intake } = await readReport('containers', report);
    const vulnerabilities = scan.reduce((sum, each) => sum + each.vulnerabilities.length, 0);
    checkCount('containers', '', vulnerabilities, 'vulnerabilities');
    const named = namedImages(scan, image);
    // Said to be complete, a report that was uploaded before is another one.
    const contentHash = await contentHashOf(complete === true ? { complete, report } : report);
    const shown = shownBy(scan);
    const images: ReadImage[] = [];
    for (const each of named)
      images.push({
        ...(await readImage(each, format, contentHash)),
        unstated:
          complete === true || each.filters === 'stated'
            ? []
            : [{ tool: each.seer.tool, shown, packages: each.packages }],
      });
    const receipt = intake.receipt(images.reduce((sum, { found }) => sum + found.length, 0));
    return (ctx) => writeImages(ctx, project_id, images, receipt);
  },
};

interface NamedImage extends ImageScan {
  readonly name: ImageRef;
}

interface ReadImage extends Omit<NamedImage, 'vulnerabilities'> {
  readonly format: string;
  readonly named: readonly Named[];
  readonly found: readonly UnevaluatedFinding[];
  readonly contentHash: Buffer;
  readonly unstated: readonly Filter[];
}

/** The images with their normalised names; different spellings of one name are one image. */
function namedImages(scan: readonly ImageScan[], given: string | undefined): NamedImage[] {
  if (given !== undefined && scan.length > 1) throw invalidField('image', 'several_images');
  if (scan.length === 0) throw unreadableReport('containers', '', 'has no image that was searched for vulnerabilities');
  checkCount('containers', 'Resources', scan.length, 'images', maxImages);
  const images = new Map<string, NamedImage>();
  for (const each of scan) {
    const name = imageOf(each, given);
    const known = images.get(printImageRef(name));
    const both = known === undefined ? [each] : [known, each];
    images.set(printImageRef(name), {
      ...(known ?? each),
      name,
      vulnerabilities: both.flatMap(({ vulnerabilities }) => vulnerabilities),
      parts: both.every(({ parts }) => parts.length > 0) ? [...new Set(both.flatMap(({ parts }) => parts))] : [],
    });
  }
  return [...images.values()];
}

/** A filter is one for all images of a report. */
function shownBy(images: readonly ImageScan[]): Level[] {
  const levels = new Map<string, Level>();
  for (const { label, fixedVersion } of images.flatMap(({ vulnerabilities }) => vulnerabilities)) {
    const level = levelOf(label, fixedVersion);
    levels.set(JSON.stringify(level), level);
  }
  return [...levels.values()];
}

async function readImage(image: NamedImage, format: string, contentHash: Buffer): Promise<Omit<ReadImage, 'unstated'>> {
  const { vulnerabilities, ...read } = image;
  const named = vulnerabilities.map(({ id, relatedCves }) => ({ id, cves: relatedCves }));
  return { ...read, format, named, found: await unevaluatedFindings(vulnerabilities), contentHash };
}

type Answer = z.output<typeof containers.uploadReport.output>;

async function writeImages(
  { landing, within, now }: LandingContext<Answer>,
  project_id: string,
  images: readonly ReadImage[],
  receipt: Answer['receipt'],
): Promise<Answer> {
  const project = await landing.step((tx) => requireProjectLock(within(tx), project_id));
  const written: WrittenImage[] = [];
  for (const each of images) written.push(await writeImage(landing.step, project, each, now));
  return landing.finish(async (tx) => {
    await finishScans(
      tx,
      project,
      written.map(({ applied }) => applied),
      now,
    );
    await standImages(
      tx,
      project.organisationId,
      written.flatMap(({ stored }) => stored ?? []),
    );
    await auditImages(within(tx), written);
    const results = written.map(({ applied: { result }, image_id, ref }) => ({ ...result, image_id, ref }));
    const sum = sumOfScans(results);
    const { image_id = '' } = results.find(({ scan_job_id }) => scan_job_id === sum.scan_job_id) ?? {};
    return { ...sum, image_id, images: results, receipt };
  });
}

async function auditImages({ auditAll }: Context, written: readonly WrittenImage[]): Promise<void> {
  const fresh = written.filter(({ applied }) => !applied.result.duplicate);
  await auditAll(
    fresh.map(({ image_id, ref, format, applied: { result } }) => ({
      action: 'containers.upload_report',
      target: { kind: 'image', id: image_id },
      after: { ref, scanner: format, scan_job_id: result.scan_job_id, ...result.findings },
    })),
  );
}

interface WrittenImage {
  readonly image_id: string;
  readonly ref: string;
  readonly format: string;
  readonly applied: AppliedScan;
  /** Undefined where the image stays as it is. */
  readonly stored: StoredImage | undefined;
}

async function writeImage(
  step: Landing<never>['step'],
  project: ProjectKey,
  { name, named, found, contentHash, unstated, ...read }: ReadImage,
  now: Date,
): Promise<WrittenImage> {
  const ref = printImageRef(name);
  const intelligence = await step((tx) => loadIntelligence(tx, named));
  const scan = {
    domain: 'containers',
    source: ref,
    searched: [{ ...read.seer, parts: read.parts }],
    findings: await evaluateFindings(found, read.seer, intelligence),
    mode: null,
    contentHash,
    startedAt: null,
    reportedAt: read.reportedAt,
    join: joinFindings,
    filters: unstated,
  } as const;
  const applied = await applyScan(step, project, scan, now);
  const { outdated, result } = applied;
  return step(async (tx) => {
    const known = result.duplicate || outdated ? await imageIdOf(tx, project, ref) : undefined;
    const stored = known === undefined ? await storeImage(tx, project, name, read, now) : undefined;
    return { image_id: known ?? stored?.id ?? '', ref, format: read.format, applied, stored };
  });
}

function imageOf({ imageName, artifact }: ImageScan, given: string | undefined): ImageRef {
  const ref = parseImageRef(given ?? imageName ?? '');
  if (ref !== null) return ref;
  if (given !== undefined) throw invalidField('image', 'not_an_image_ref');
  throw noImage(
    artifact === null
      ? undefined
      : `the report is of ${artifact}, not of an image: give image where it stands for one, else sync lock files or an SBOM`,
  );
}

function noImage(detail: string | undefined): ApiError {
  const reason = 'no_image_ref';
  return new ApiError('invalid_input', {
    ...(detail !== undefined && { detail }),
    errors: [{ field: 'image', message: reasons[reason], reason }],
  });
}

async function imageIdOf(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  ref: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('container_images')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, ref }))
    .executeTakeFirst();
  return row?.id;
}
