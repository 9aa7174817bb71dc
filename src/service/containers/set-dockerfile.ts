import type { Procedures } from '../../procedures/index.js';
import type { Handler } from '../api/handler.js';
import { readStages } from './dockerfile.js';
import { findImage } from './image-row.js';

/** Keeps the Dockerfile that an image is built from. The same text again changes nothing. */
export const setDockerfile: Handler<Procedures['containers']['setDockerfile']> = async (
  ctx,
  { path, text, ...key },
) => {
  const image = await findImage(ctx, key);
  const stages = readStages(text).length;
  if (image.dockerfile !== text || image.dockerfile_path !== path) {
    await ctx.tx
      .updateTable('container_images')
      .set({ dockerfile: text, dockerfile_path: path })
      .where('organisation_id', '=', ctx.organisationId)
      .where('id', '=', image.id)
      .execute();
    await ctx.audit({
      action: 'containers.set_dockerfile',
      target: { kind: 'image', id: image.id },
      before: { path: image.dockerfile_path },
      after: { path, stages },
    });
  }
  return { image_id: image.id, path, stages };
};
