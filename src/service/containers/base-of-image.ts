import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import type { BaseLine } from './dockerfile.js';
import { labelledBase, runtimesWithImage } from './image-config.js';
import { normaliseRef, parseImageRef } from './image-ref.js';
import type { ImageRow } from './image-row.js';
import { isOfficial } from './official-images.js';

/** What an image is built on. */
export interface Base {
  /** Normalised. */
  readonly ref: string;
  /** The base as the organisation has scanned it. */
  readonly image: ImageRow | null;
  readonly knownFrom: string;
}

/**
 * What an image is built on, by the first of these that shows it; null where none does.
 *
 * 1. It is an official image, and so a base itself.
 * 2. The labels of its build name the base.
 * 3. A scanned image has exactly its base's layers.
 * 4. Its Dockerfile, if it fits the scan, names the base.
 * 5. Its history names a runtime or a system, though no image.
 */
export async function baseOfImage(ctx: Context, image: ImageRow, dockerfile: BaseLine | null): Promise<Base | null> {
  if (isBaseItself(image)) return { ref: image.ref, image, knownFrom: 'itself: an official image is a base' };
  return (
    (await fromLabels(ctx, image)) ??
    (await fromLayers(ctx, image)) ??
    (await named(ctx, image, dockerfile?.ref, `FROM in line ${dockerfile?.line} of its Dockerfile`)) ??
    fromHistory(ctx, image)
  );
}

export function isBaseItself({ ref }: ImageRow): boolean {
  const parsed = parseImageRef(ref);
  return parsed !== null && isOfficial(parsed);
}

async function fromLabels(ctx: Context, image: ImageRow): Promise<Base | null> {
  const { name, digest } = labelledBase(image.labels);
  const scanned =
    digest === null ? undefined : await newest(ctx, image).where('digest', '=', digest).executeTakeFirst();
  if (scanned !== undefined) return { ref: scanned.ref, image: scanned, knownFrom: 'label image.base.digest' };
  return named(ctx, image, name, 'label image.base.name');
}

/** An image with fewer layers than the base would be the base's own base. */
async function fromLayers(ctx: Context, image: ImageRow): Promise<Base | null> {
  const { layers, base_layers } = image;
  if (base_layers === null) return null;
  const scanned = await newest(ctx, image)
    .where(sql<boolean>`layers = ${layers.slice(0, base_layers)}::text[]`)
    .executeTakeFirst();
  return scanned === undefined ? null : { ref: scanned.ref, image: scanned, knownFrom: 'layers shared with it' };
}

async function fromHistory(ctx: Context, image: ImageRow): Promise<Base | null> {
  const { base_layers, runtime, os } = image;
  if (base_layers === null) return null;
  const [, name = '', version = ''] = /^(\S+) (\S+)$/.exec(runtime ?? '') ?? [];
  const variant = os?.startsWith('alpine ') === true ? '-alpine' : '';
  // Official images of these are named for the runtime; Java's and .NET's are not.
  if (runtimesWithImage.includes(name)) {
    return named(ctx, image, `${name}:${version}${variant}`, `image history: ${runtime}, ${os ?? 'unknown OS'}`);
  }
  // One layer and no runtime: the system alone.
  const isSystem = base_layers === 1 && /^(?:alpine|debian|ubuntu) [\d.]+$/.test(os ?? '');
  return isSystem ? named(ctx, image, os?.replace(' ', ':'), `image history: ${os}`) : null;
}

/** The base of this name; null where it is no image's name. */
async function named(
  ctx: Context,
  image: ImageRow,
  name: string | null | undefined,
  knownFrom: string,
): Promise<Base | null> {
  const ref = normaliseRef(name ?? '');
  if (ref === null) return null;
  return { ref, image: await scannedBase(ctx, image, ref), knownFrom };
}

/** The image of this normalised name, as the organisation has scanned it last. */
export async function scannedBase(ctx: Context, image: ImageRow, ref: string): Promise<ImageRow | null> {
  return (await newest(ctx, image).where('ref', '=', ref).executeTakeFirst()) ?? null;
}

/** Other images of the organisation: those of the same project first, then the one scanned last. */
function newest({ tx, organisationId }: Context, { id, project_id }: ImageRow) {
  return tx
    .selectFrom('container_images')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('id', '!=', id)
    .orderBy((order) => order('project_id', '=', project_id), 'desc')
    .orderBy('scanned_at', 'desc')
    .orderBy('id')
    .limit(1);
}
