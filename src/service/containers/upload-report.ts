import { reasons } from '../../procedures/problem.js';
import { type Context, type Handlers, inOneTransaction } from '../api/handler.js';
import { applyScan } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import type { ScanResult } from '../findings/scan.js';
import { ApiError, invalidField } from '../http/api-error.js';
import { type ProjectKey, requireProjectLock } from '../projects/find-project.js';
import type { ImageScan } from '../scanners/image-scan.js';
import { readReport } from '../scanners/index.js';
import { checkCount, unreadableReport } from '../scanners/parse-report.js';
import { sumOfScans } from '../scanners/sum-of-scans.js';
import { loadIntelligence, type Named } from './exploitation.js';
import { type ImageRef, parseImageRef, printImageRef } from './image-ref.js';
import { joinFindings } from './join-findings.js';
import { evaluateFindings, type UnevaluatedFinding, unevaluatedFindings } from './reported-findings.js';
import { storeImage } from './store-image.js';

/** Images of one report. Each is a scan, and all are written in one transaction. */
const maxImages = 500;

/**
 * Writes the images of a report and their findings in one transaction. The answer has their sums. An image's newest report,
 * uploaded again, changes nothing.
 */
export const uploadReport: Handlers['containers']['uploadReport'] = {
  async read({ project_id, image, report }) {
    const { format, scan, intake } = await readReport('containers', report);
    const vulnerabilities = scan.reduce((sum, each) => sum + each.vulnerabilities.length, 0);
    checkCount('containers', '', vulnerabilities, 'vulnerabilities');
    const named = namedImages(scan, image);
    const contentHash = await contentHashOf(report);
    const images: ReadImage[] = [];
    for (const each of named) images.push(await readImage(each, format, contentHash));
    const receipt = intake.receipt(images.reduce((sum, { found }) => sum + found.length, 0));
    return inOneTransaction(async (ctx) => ({ ...(await writeImages(ctx, project_id, images)), receipt }));
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

async function readImage(image: NamedImage, format: string, contentHash: Buffer): Promise<ReadImage> {
  const { vulnerabilities, ...read } = image;
  const named = vulnerabilities.map(({ id, relatedCves }) => ({ id, cves: relatedCves }));
  return { ...read, format, named, found: await unevaluatedFindings(vulnerabilities), contentHash };
}

async function writeImages(ctx: Context, project_id: string, images: readonly ReadImage[]) {
  const project = await requireProjectLock(ctx, project_id);
  const written: WrittenImage[] = [];
  for (const each of images) written.push(await writeImage(ctx, project, each));
  const sum = sumOfScans(written);
  const { image_id = '' } = written.find(({ scan_job_id }) => scan_job_id === sum.scan_job_id) ?? {};
  return { ...sum, image_id, images: written };
}

interface WrittenImage extends ScanResult {
  readonly image_id: string;
  readonly ref: string;
}

async function writeImage(
  ctx: Context,
  project: ProjectKey,
  { name, named, found, contentHash, ...read }: ReadImage,
): Promise<WrittenImage> {
  const ref = printImageRef(name);
  const intelligence = await loadIntelligence(ctx.tx, named);
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
  } as const;
  const { outdated, ...result } = await applyScan(ctx.tx, project, scan, ctx.now);
  const known = result.duplicate || outdated ? await imageIdOf(ctx, project.projectId, ref) : undefined;
  const image_id = known ?? (await storeImage(ctx.tx, project, name, read, ctx.now));
  if (!result.duplicate) {
    await ctx.audit({
      action: 'containers.upload_report',
      target: { kind: 'image', id: image_id },
      after: { ref, scanner: read.format, scan_job_id: result.scan_job_id, ...result.findings },
    });
  }
  return { ...result, image_id, ref };
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

async function imageIdOf({ tx, organisationId }: Context, projectId: string, ref: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('container_images')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, ref }))
    .executeTakeFirst();
  return row?.id;
}
