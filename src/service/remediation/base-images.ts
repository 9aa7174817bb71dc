import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { clip } from '../../shared/text/cut.js';
import type { Context } from '../api/handler.js';
import { getBaseImageAdvice } from '../containers/base-image-advice.js';
import { openCounts } from '../containers/image-row.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';

type BaseImages = z.output<typeof remediation.plan.output>['base_images'];

/** Images whose findings are counted, and images whose base is looked for: each costs some queries. */
const maxCounted = 500;
const maxAsked = 5;

/** Characters of the advice's reason. */
const maxWhy = 200;

/** Better bases of the images with the most open findings. Images on the same base with the same advice are one change. */
export async function baseImages(ctx: Context, project: ProjectKey): Promise<BaseImages> {
  const { tx } = ctx;
  const images = await tx
    .selectFrom('container_images')
    .select(['id', 'organisation_id', 'project_id', 'ref'])
    .where(inScope(project))
    .orderBy('ref')
    .limit(maxCounted)
    .execute();
  const counted = await tx
    .selectFrom('container_images')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(inScope(project))
    .executeTakeFirstOrThrow();
  const counts = await openCounts(tx, images);
  const weigh = (id: string) => counts.get(id) ?? { red: 0, yellow: 0, green: 0 };
  const worst = images.toSorted((a, b) => weigh(b.id).red - weigh(a.id).red || weigh(b.id).yellow - weigh(a.id).yellow);
  const asked = worst.slice(0, maxAsked);
  const items = new Map<string, BaseImages['items'][number]>();
  let withoutAdvice = 0;
  for (const { id } of asked) {
    const { image, base, alternatives, dockerfile } = await getBaseImageAdvice(ctx, {
      project_id: project.projectId,
      image_id: id,
    });
    const [best] = alternatives;
    if (base === null || best === undefined) {
      withoutAdvice++;
      continue;
    }
    const suggested = dockerfile?.suggested ?? null;
    const edit =
      dockerfile === null || suggested === null
        ? null
        : { file: dockerfile.file, line: dockerfile.line, change: suggested };
    const key = JSON.stringify([base.ref, best.ref, edit]);
    if (items.has(key)) continue;
    const { delta } = best;
    const item = { image_id: image.id, image: image.ref, from: base.ref, to: best.ref, delta, edit };
    items.set(key, { ...item, why: clip(best.why, maxWhy) });
  }
  return {
    items: [...items.values()].slice(0, planLimits.images),
    without_advice: withoutAdvice,
    not_asked: counted.total - asked.length,
  };
}
