import type { Context, Handlers } from '../api/handler.js';
import { applyScan } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import { invalidField } from '../http/api-error.js';
import { requireProjectLock } from '../projects/find-project.js';
import type { ImageScan } from '../scanners/image-scan.js';
import { readReport } from '../scanners/index.js';
import { checkCount } from '../scanners/parse-report.js';
import { loadIntelligence, type Named } from './exploitation.js';
import { type ImageRef, parseImageRef, printImageRef } from './image-ref.js';
import { joinFindings } from './join-findings.js';
import { evaluateFindings, type UnevaluatedFinding, unevaluatedFindings } from './reported-findings.js';
import { storeImage } from './store-image.js';

/** Writes a report's image and findings in one transaction. The image's newest report, uploaded again, changes nothing. */
export const uploadReport: Handlers['containers']['uploadReport'] = {
  async read({ project_id, image, report }) {
    const { format, scan } = await readReport('containers', report);
    const { vulnerabilities, ...read } = scan;
    checkCount('containers', '', vulnerabilities.length, 'vulnerabilities');
    const name = imageOf(image ?? read.imageName);
    const named = vulnerabilities.map(({ id, relatedCves }) => ({ id, cves: relatedCves }));
    const found = await unevaluatedFindings(vulnerabilities);
    const contentHash = await contentHashOf(report);
    return (ctx) => writeImage(ctx, project_id, { ...read, format, name, named, found, contentHash });
  },
};

interface ReadImage extends Omit<ImageScan, 'vulnerabilities'> {
  readonly format: string;
  readonly name: ImageRef;
  readonly named: readonly Named[];
  readonly found: readonly UnevaluatedFinding[];
  readonly contentHash: Buffer;
}

async function writeImage(ctx: Context, project_id: string, { name, named, found, contentHash, ...read }: ReadImage) {
  const project = await requireProjectLock(ctx, project_id);
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
  const known = result.duplicate || outdated ? await imageIdOf(ctx, project_id, ref) : undefined;
  const image_id = known ?? (await storeImage(ctx.tx, project, name, read, ctx.now));
  if (!result.duplicate) {
    await ctx.audit({
      action: 'containers.upload_report',
      target: { kind: 'image', id: image_id },
      after: { ref, scanner: read.format, scan_job_id: result.scan_job_id, ...result.findings },
    });
  }
  return { ...result, image_id, left_out: read.leftOut };
}

function imageOf(name: string | null): ImageRef {
  const ref = name === null ? null : parseImageRef(name);
  if (ref === null) throw invalidField('image', 'no_image_ref');
  return ref;
}

async function imageIdOf({ tx, organisationId }: Context, projectId: string, ref: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('container_images')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, ref }))
    .executeTakeFirst();
  return row?.id;
}
