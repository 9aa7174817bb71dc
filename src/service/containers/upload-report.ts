import type { Procedures } from '../../procedures/index.js';
import { applyScan } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import type { Context, Handler } from '../http/handler.js';
import { invalidField } from '../http/refusal.js';
import { requireProjectLock } from '../projects/find-project.js';
import { loadIntelligence } from './exploitation.js';
import { type ImageRef, parseImageRef, printImageRef } from './image-ref.js';
import { readContainerReport } from './read-report.js';
import { containerTool, reportedFindings } from './reported-findings.js';
import { storeImage } from './store-image.js';

/** Takes a report: image and findings in one transaction. The very report that was the image's newest changes nothing. */
export const uploadReport: Handler<Procedures['containers']['uploadReport']> = async (
  ctx,
  { project_id, image, report },
) => {
  const read = readContainerReport(report);
  const name = imageOf(image ?? read.imageName);
  const project = await requireProjectLock(ctx, project_id);
  const ref = printImageRef(name);
  const named = read.vulnerabilities.map(({ id, relatedCves }) => ({ id, cves: relatedCves }));
  const findings = reportedFindings(read.vulnerabilities, await loadIntelligence(ctx.tx, named));
  const result = await applyScan(
    ctx.tx,
    project,
    {
      domain: 'containers',
      source: ref,
      tools: [containerTool],
      findings,
      mode: null,
      contentHash: contentHashOf(report),
      startedAt: null,
    },
    ctx.now,
  );
  const known = result.duplicate ? await imageIdOf(ctx, project_id, ref) : undefined;
  const image_id = known ?? (await storeImage(ctx.tx, project, name, read, ctx.now));
  if (!result.duplicate) {
    await ctx.audit({
      action: 'containers.upload_report',
      target: { kind: 'image', id: image_id },
      after: { ref, scanner: read.scanner, scan_job_id: result.scan_job_id, ...result.findings },
    });
  }
  return { ...result, image_id, left_out: read.leftOut };
};

function imageOf(name: string | null): ImageRef {
  const ref = name === null ? null : parseImageRef(name);
  if (ref === null) throw invalidField('image', 'no_image_ref');
  return ref;
}

async function imageIdOf({ tx, organisationId }: Context, projectId: string, ref: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('container_images')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .executeTakeFirst();
  return row?.id;
}
