import { sql } from 'kysely';
import { onOneLine } from '../../shared/text/clip.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { ImageScan } from '../scanners/image-scan.js';
import { baseLabels, baseLayersByHistory, runtimeOf } from './image-config.js';
import { familiarRef, type ImageRef, printImageRef, repositoryOf } from './image-ref.js';
import { isOfficial } from './official-images.js';

type ImageFacts = Omit<ImageScan, 'vulnerabilities' | 'complete'>;

/** Layers of an image; Docker's own limit is 127. */
const maxLayers = 1_000;

/** Keeps what a report says of its image; returns the image's id. Dockerfile and monitoring do not change. */
export async function storeImage(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  ref: ImageRef,
  report: ImageFacts,
  now: Date,
): Promise<string> {
  const layers = report.layers.slice(0, maxLayers);
  const known = await knownFacts(tx, { organisationId, projectId }, printImageRef(ref));
  const facts = {
    digest: digestOf(ref, report),
    os: report.os === null ? null : onOneLine(report.os, 128),
    runtime: runtimeOf(report.config),
    layers,
    labels: JSON.stringify(baseLabels(report.config)),
    base_layers: await baseLayersOf(tx, organisationId, ref, report),
    scanned_at: now,
  };
  const { id } = await tx
    .insertInto('container_images')
    .values({
      organisation_id: organisationId,
      id: newId('img'),
      project_id: projectId,
      ref: printImageRef(ref),
      ...facts,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organisation_id', 'project_id', 'ref'])
        .doUpdateSet(known === undefined ? facts : { ...facts, ...stillKnown(known, report, layers) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await updateImagesAbove(tx, organisationId, id, layers);
  await markImagesBelow(tx, organisationId, layers);
  return id;
}

function knownFacts(tx: Transaction, { organisationId, projectId }: ProjectKey, ref: string) {
  return tx
    .selectFrom('container_images')
    .select(['os', 'runtime', 'layers', 'labels', 'base_layers'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, ref }))
    .executeTakeFirst();
}

type KnownFacts = NonNullable<Awaited<ReturnType<typeof knownFacts>>>;

/**
 * What stays known of an image where the report of another scanner says nothing of it: all about its layers where it names
 * none, and else, of the same layers, the labels, the runtime and the base.
 */
function stillKnown(known: KnownFacts, report: ImageFacts, layers: readonly string[]) {
  const isSame = layers.length === 0 || layers.join() === known.layers.join();
  if (!isSame) return {};
  const hasConfig = report.config.history.length > 0 || (report.config.config ?? null) !== null;
  return {
    ...(layers.length === 0 && { layers: known.layers }),
    ...(report.os === null && { os: known.os }),
    ...(!hasConfig && { runtime: known.runtime, labels: JSON.stringify(known.labels), base_layers: known.base_layers }),
  };
}

/** The digest in the name, else the registry's, else that of the manifest. */
function digestOf(ref: ImageRef, { repoDigests, manifestDigest }: ImageFacts): string | null {
  const named = repoDigests.map((each) => each.split('@')).filter(([, digest = '']) => digest !== '');
  const repository = familiarRef(repositoryOf(ref));
  const [, digest] = named.find(([name = '']) => name.endsWith(repository)) ?? named[0] ?? [];
  const known = ref.digest ?? digest ?? manifestDigest;
  return known === null ? null : onOneLine(known, 200);
}

/**
 * How many layers are the base's. An official image is a base as a whole. Else it is the highest number known: a scanned image
 * with the same first layers may only be the base's own base, while the history shows more.
 */
async function baseLayersOf(
  tx: Transaction,
  organisationId: string,
  ref: ImageRef,
  { layers, config }: ImageFacts,
): Promise<number | null> {
  if (layers.length === 0) return null;
  if (isOfficial(ref)) return layers.length;
  const { shared } = await imagesBelow(tx, organisationId, layers)
    .select(sql<number | null>`max(cardinality(layers))`.as('shared'))
    .executeTakeFirstOrThrow();
  const known = Math.max(shared ?? 0, baseLayersByHistory(config, layers) ?? 0);
  return known === 0 ? null : known;
}

/** The organisation's images that these layers begin with. */
function imagesBelow(tx: Transaction, organisationId: string, layers: readonly string[]) {
  return tx
    .selectFrom('container_images')
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`cardinality(layers) between 1 and ${layers.length - 1}`)
    .where(sql<boolean>`layers = (${[...layers]}::text[])[1:cardinality(layers)]`);
}

/** Images that were scanned before their base get its number of layers now. */
async function updateImagesAbove(
  tx: Transaction,
  organisationId: string,
  id: string,
  layers: readonly string[],
): Promise<void> {
  if (layers.length === 0) return;
  const { rows } = await sql`
    update container_images set base_layers = greatest(base_layers, ${layers.length}::integer)
    where organisation_id = ${organisationId} and cardinality(layers) > ${layers.length}::integer
      and layers[1:${layers.length}::integer] = ${[...layers]}::text[]
    returning id`.execute(tx);
  await tx
    .updateTable('container_images')
    .set({ stood_on: rows.length > 0 })
    .where(({ and }) => and({ organisation_id: organisationId, id }))
    .execute();
}

async function markImagesBelow(tx: Transaction, organisationId: string, layers: readonly string[]): Promise<void> {
  const below = imagesBelow(tx, organisationId, layers).select('id').where('stood_on', '=', false);
  await tx
    .updateTable('container_images')
    .set({ stood_on: true })
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', below)
    .execute();
}
