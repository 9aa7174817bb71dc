import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/coverage.js';
import { isListed } from '../db/scope.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { requireAsked, requireProjectLock } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { getBaseImageAdvice } from './base-image-advice.js';
import { readStages } from './dockerfile.js';
import { beginEvaluation } from './evaluate-images.js';
import { findImage, openCounts, toImage } from './image-row.js';
import { listContainerFindings } from './list-findings.js';
import { uploadReport } from './upload-report.js';

const byRef: List = { keys: [key('ref', 'text'), key('id', 'text')], appeared: sql`scanned_at` };

export const containerHandlers: Handlers['containers'] = {
  async listImages(ctx, { project_id, group, ...paging }) {
    const { tx } = ctx;
    const scope = await listScope(ctx, { project_id, group });
    const images = tx.selectFrom('container_images').selectAll().where(isListed(scope));
    const [page] = await Promise.all([loadPage(ctx, byRef, paging, images), requireAsked(ctx, project_id)]);
    const counts = await openCounts(tx, page.items);
    const projectOf = await nameProjects(ctx, project_id, page.items);
    return {
      ...page,
      items: page.items.map((row) => ({ ...toImage(row, counts.get(row.id)), ...projectOf(row) })),
      coverage: await listCoverage(tx, page.total, { scope, domain: 'containers' }, ctx.now),
    };
  },

  listFindings: listContainerFindings,
  getBaseImageAdvice,
  uploadReport,

  /** An image that becomes monitored is evaluated: it may have missed new intelligence. */
  async updateImage(ctx, { monitored, ...key }) {
    // An upload that is being written has a newer version of the image.
    await requireProjectLock(ctx, key.project_id);
    const image = await findImage(ctx, key);
    if (image.monitored !== monitored) {
      await ctx.tx
        .updateTable('container_images')
        .set({ monitored })
        .where(({ and }) => and({ organisation_id: ctx.organisationId, id: image.id }))
        .execute();
      if (monitored) await beginEvaluation(ctx.tx, image);
      await ctx.audit({
        action: 'containers.update_image',
        target: { kind: 'image', id: image.id },
        before: { monitored: image.monitored },
        after: { monitored },
      });
    }
    return toImage({ ...image, monitored }, (await openCounts(ctx.tx, [image])).get(image.id));
  },

  /** The same text again changes nothing. */
  async setDockerfile(ctx, { path, text, ...key }) {
    await requireProjectLock(ctx, key.project_id);
    const image = await findImage(ctx, key);
    const stages = readStages(text).length;
    if (image.dockerfile !== text || image.dockerfile_path !== path) {
      await ctx.tx
        .updateTable('container_images')
        .set({ dockerfile: text, dockerfile_path: path })
        .where(({ and }) => and({ organisation_id: ctx.organisationId, id: image.id }))
        .execute();
      await ctx.audit({
        action: 'containers.set_dockerfile',
        target: { kind: 'image', id: image.id },
        before: { path: image.dockerfile_path },
        after: { path, stages },
      });
    }
    return { image_id: image.id, path, stages };
  },
};
