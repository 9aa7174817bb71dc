import { type RawBuilder, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { tierCounts } from '../../procedures/findings.js';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import { notFound } from '../http/api-error.js';
import { findProject } from '../projects/find-project.js';

export type ImageRow = Selectable<Schema['container_images']>;
export type Image = z.output<typeof containers.updateImage.output>;
export type TierCounts = z.output<typeof tierCounts>;

type ImageKey = Omit<z.output<typeof containers.updateImage.input>, 'monitored'>;

/** The image, or a 404 that says which of the two ids is wrong. */
export async function findImage(ctx: Context, { project_id, image_id }: ImageKey): Promise<ImageRow> {
  const image = await ctx.tx
    .selectFrom('container_images')
    .selectAll()
    .where(({ and }) => and({ organisation_id: ctx.organisationId, project_id, id: image_id }))
    .executeTakeFirst();
  if (image !== undefined) return image;
  await findProject(ctx, project_id);
  throw notFound('image');
}

export const noFindings: TierCounts = { red: 0, yellow: 0, green: 0 };

type CountsOfImages = ReadonlyMap<string, TierCounts>;
type Counted = Pick<ImageRow, 'id' | 'organisation_id' | 'project_id' | 'ref'>;

/** Open findings of the images by tier, by image id: one query for all. */
export function openCounts(tx: Transaction, images: readonly Counted[]): Promise<CountsOfImages> {
  return countsOf(
    tx,
    images,
    sql`
    select tier, count from posture_counts as counted
    where counted.organisation_id = image.organisation_id and counted.domain = 'containers'
      and counted.source = image.ref and counted.project_id = image.project_id and counted.state = 'open'`,
  );
}

/** The same, of packages that came with the first `baseLayers` layers only. */
export function openBaseCounts(tx: Transaction, images: readonly Counted[], baseLayers: number) {
  return countsOf(
    tx,
    images,
    sql`
    select tier, 1 as count from findings
    where findings.organisation_id = image.organisation_id and findings.project_id = image.project_id
      and findings.domain = 'containers' and findings.source = image.ref and findings.state_rank = 0
      and (findings.details #>> '{layers,1}')::integer < ${baseLayers}`,
  );
}

async function countsOf(
  tx: Transaction,
  images: readonly Counted[],
  open: RawBuilder<unknown>,
): Promise<CountsOfImages> {
  if (images.length === 0) return new Map();
  const sumOf = (tier: string) => sql`coalesce(sum(count) filter (where tier = ${tier}), 0)::integer`;
  const { rows } = await sql<TierCounts & { readonly id: string }>`
    select image.id, ${sumOf('RED')} as red, ${sumOf('YELLOW')} as yellow, ${sumOf('GREEN')} as green
    from unnest(
      ${images.map(({ id }) => id)}::text[], ${images.map(({ organisation_id }) => organisation_id)}::text[],
      ${images.map(({ project_id }) => project_id)}::text[], ${images.map(({ ref }) => ref)}::text[]
    ) as image (id, organisation_id, project_id, ref)
    cross join lateral (${open}) as open
    group by image.id`.execute(tx);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** An image as the API answers it. */
export function toImage(
  { id, ref, digest, os, monitored, scanned_at }: ImageRow,
  tiers: TierCounts = noFindings,
): Image {
  return { id, ref, digest, os, monitored, tiers, scanned_at };
}
