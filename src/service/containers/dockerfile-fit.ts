import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import { scannedBase } from './base-of-image.js';
import type { BaseLine } from './dockerfile.js';
import { labelledBase } from './image-config.js';
import { familiarRef, normaliseRef } from './image-ref.js';
import type { ImageRow } from './image-row.js';
import { factsOfName, type ImageFacts } from './name-facts.js';
import { compareVersions, namedOf, releaseOf } from './version-parts.js';

/**
 * Why an image cannot have been built from a FROM line, for a note; null where it can. The Dockerfile is then newer than the
 * scan, or of another image.
 */
export async function misfitOf(ctx: Context, image: ImageRow, from: BaseLine): Promise<string | null> {
  const labelled = normaliseRef(labelledBase(image.labels).name ?? '');
  if (labelled !== null && labelled !== from.ref) return `the build’s label names ${familiarRef(labelled)}`;
  const scanned = await scannedBase(ctx, image, from.ref);
  if (scanned !== null && beginsWith(image.layers, scanned.layers)) return null;
  const named = factsOfName(from.ref);
  const whyByName = difference(named, image);
  if (whyByName !== null) return whyByName;
  if (scanned === null) return null;
  // A tag moves on with each build, so that only another release tells.
  const rough = (facts: ImageFacts) => ({ runtime: releaseIn(facts.runtime), os: releaseIn(facts.os) });
  return difference(rough(scanned), rough(image)) ?? ((await standsOnOther(ctx, image, from)) ? otherLayers : null);
}

const otherLayers = 'its first layers are those of another scanned image';

/** Whether the image has exactly the layers of another scanned image, while that of the FROM has others. */
async function standsOnOther({ tx, organisationId }: Context, image: ImageRow, from: BaseLine): Promise<boolean> {
  if (image.base_layers === null || image.layers.length === 0) return false;
  const base = image.layers.slice(0, image.base_layers);
  const rows = await tx
    .selectFrom('container_images')
    .select(['ref', 'layers'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`(ref = ${from.ref} and cardinality(layers) > 0 or layers = ${base}::text[])`)
    .where('id', '!=', image.id)
    .execute();
  const ofFrom = rows.filter(({ ref }) => ref === from.ref);
  return (
    ofFrom.length > 0 && rows.length > ofFrom.length && ofFrom.every(({ layers }) => !beginsWith(image.layers, layers))
  );
}

/** Whether layers begin with all of some others, of which there are any. */
export function beginsWith(layers: readonly string[], base: readonly string[]): boolean {
  return base.length > 0 && base.every((layer, place) => layers[place] === layer);
}

function difference(from: ImageFacts, image: ImageFacts): string | null {
  for (const [wanted, found] of [
    [from.runtime, image.runtime],
    [from.os, image.os],
  ] as const) {
    if (wanted === null || found === null) continue;
    const [a, b] = [namedOf(wanted), namedOf(found)];
    if (a.name !== b.name || compareVersions(a.version, b.version) !== 0) {
      return `it is of ${wanted}, and the scan found ${found}`;
    }
  }
  return null;
}

function releaseIn(text: string | null): string | null {
  if (text === null) return null;
  const named = namedOf(text);
  return [named.name, releaseOf(named).join('.')].filter((part) => part !== '').join(' ');
}
