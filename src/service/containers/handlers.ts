import type { Handlers } from '../api/handler.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { getBaseImageAdvice } from './base-image-advice.js';
import { findImage, openCounts, toImage } from './image-row.js';
import { listContainerFindings } from './list-findings.js';
import { reevaluateImage } from './reevaluate.js';
import { setDockerfile } from './set-dockerfile.js';
import { uploadReport } from './upload-report.js';

export const containerHandlers: Handlers['containers'] = {
  async listImages(ctx, { project_id, ...paging }) {
    const { tx, organisationId } = ctx;
    await findProject(ctx, project_id);
    const images = tx
      .selectFrom('container_images')
      .where('organisation_id', '=', organisationId)
      .where('project_id', '=', project_id);
    const { total } = await images.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await images.selectAll().orderBy('ref').limit(paging.page_size).offset(offsetOf(paging)).execute();
    const counts = await openCounts(tx, rows);
    return pageAnswer(
      paging,
      total,
      rows.map((row) => toImage(row, counts.get(row.id))),
    );
  },

  listFindings: listContainerFindings,
  getBaseImageAdvice,
  uploadReport,

  /** An image that becomes monitored is evaluated at once: it may have missed new intelligence. */
  async updateImage(ctx, { monitored, ...key }) {
    const image = await findImage(ctx, key);
    if (image.monitored !== monitored) {
      await ctx.tx
        .updateTable('container_images')
        .set({ monitored })
        .where('organisation_id', '=', ctx.organisationId)
        .where('id', '=', image.id)
        .execute();
      if (monitored) await reevaluateImage(ctx.tx, image);
      await ctx.audit({
        action: 'containers.update_image',
        target: { kind: 'image', id: image.id },
        before: { monitored: image.monitored },
        after: { monitored },
      });
    }
    return toImage({ ...image, monitored }, (await openCounts(ctx.tx, [image])).get(image.id));
  },

  setDockerfile,
};
