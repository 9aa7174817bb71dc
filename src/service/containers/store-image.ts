import { sql } from 'kysely';
import { onOneLine } from '../../shared/text/cut.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { removeRows } from '../landing/remove-rows.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { ImageScan } from '../scanners/image-scan.js';
import { baseLabels, baseLayersByHistory, runtimeOf } from './image-config.js';
import { familiarRef, type ImageRef, printImageRef, repositoryOf } from './image-ref.js';
import type { ImageRow } from './image-row.js';
import { isOfficial } from './official-images.js';

type ImageFacts = Omit<ImageScan, 'vulnerabilities' | 'complete'>;

/** Layers of an image; Docker's own limit is 127. */
const maxLayers = 1_000;

/** An image as it was stored, and what that says of other images. They are told with `standImages`. */
export interface StoredImage {
  readonly id: string;
  readonly layers: readonly string[];
  /** Images whose layers begin with those of this one. */
  readonly above: readonly string[];
  /** Images that the layers of this one begin with. */
  readonly below: readonly string[];
}

/** Keeps what a report says of its image. Dockerfile and monitoring do not change. */
export async function storeImage(
  tx: Transaction,
  project: ProjectKey,
  ref: ImageRef,
  report: ImageFacts,
  now: Date,
): Promise<StoredImage> {
  const { organisationId, projectId } = project;
  const layers = report.layers.slice(0, maxLayers);
  const known = await knownImage(tx, project, printImageRef(ref));
  const isOther = (image: Pick<ImageRow, 'id'>) => image.id !== known?.id;
  const others = await imagesAround(tx, organisationId, layers);
  const [below, above] = [others.below.filter(isOther), others.above.filter(isOther)];
  const facts = {
    digest: digestOf(ref, report),
    os: report.os === null ? null : onOneLine(report.os, 128),
    runtime: runtimeOf(report.config),
    layers,
    labels: JSON.stringify(baseLabels(report.config)),
    base_layers: baseLayersOf(ref, report, below),
    scanned_at: now,
    stood_on: layers.length === 0 ? (known?.stood_on ?? false) : above.length > 0,
  };
  const own = { organisation_id: organisationId, project_id: projectId, ref: printImageRef(ref) };
  const id = known?.id ?? newId('img');
  if (known !== undefined) await removeRows(tx, 'container_images', byId(organisationId, id));
  const { monitored, dockerfile, dockerfile_path, evaluated_to } = known ?? {};
  const given = { monitored, dockerfile, dockerfile_path, evaluated_to };
  await tx
    .insertInto('container_images')
    .values({ ...own, id, ...given, ...facts, ...(known !== undefined && stillKnown(known, report, layers)) })
    .execute();
  return { id, layers, above: above.map((each) => each.id), below: below.map((each) => each.id) };
}

function knownImage(tx: Transaction, { organisationId, projectId }: ProjectKey, ref: string) {
  return tx
    .selectFrom('container_images')
    .selectAll()
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, ref }))
    .executeTakeFirst();
}

/**
 * What stays known of an image where the report of another scanner says nothing of it: all about its layers where it names
 * none, and else, of the same layers, the labels, the runtime and the base.
 */
function stillKnown(known: ImageRow, report: ImageFacts, layers: readonly string[]) {
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
function baseLayersOf(
  ref: ImageRef,
  { layers, config }: ImageFacts,
  below: readonly Pick<ImageRow, 'layers'>[],
): number | null {
  if (layers.length === 0) return null;
  if (isOfficial(ref)) return layers.length;
  const known = Math.max(0, ...below.map((each) => each.layers.length), baseLayersByHistory(config, layers) ?? 0);
  return known === 0 ? null : known;
}

/** Images of the organisation whose layers these begin with, and those whose layers begin with these. */
async function imagesAround(tx: Transaction, organisationId: string, layers: readonly string[]) {
  if (layers.length === 0) return { below: [], above: [] };
  const { rows } = await sql<Pick<ImageRow, 'id' | 'layers'>>`
    select id, layers from container_images
    where organisation_id = ${organisationId} and cardinality(layers) > 0 and cardinality(layers) <> ${layers.length}::integer
      and layers[:${layers.length}::integer] = (${[...layers]}::text[])[:cardinality(layers)]`.execute(tx);
  return {
    below: rows.filter((row) => row.layers.length < layers.length),
    above: rows.filter((row) => row.layers.length > layers.length),
  };
}

/**
 * Tells other images of the organisation what stored ones say of them: images that were scanned before their base get its
 * number of layers now. Other projects see that too, so it is done in the last step of a landing.
 */
export async function standImages(
  tx: Transaction,
  organisationId: string,
  stored: readonly StoredImage[],
): Promise<void> {
  const layersOf = new Map<string, number>();
  for (const { above, layers } of stored) {
    for (const id of above) layersOf.set(id, Math.max(layers.length, layersOf.get(id) ?? 0));
  }
  const [ids, counts] = [[...layersOf.keys()], [...layersOf.values()]];
  if (ids.length > 0)
    await sql`
      update container_images as image set base_layers = greatest(base_layers, given.layers)
      from unnest(${ids}::text[], ${counts}::integer[]) as given (id, layers)
      where image.organisation_id = ${organisationId} and image.id = given.id`.execute(tx);
  const below = [...new Set(stored.flatMap((each) => each.below))];
  if (below.length > 0)
    await sql`
      update container_images set stood_on = true
      where organisation_id = ${organisationId} and id = any (${below}::text[]) and not stood_on`.execute(tx);
}
