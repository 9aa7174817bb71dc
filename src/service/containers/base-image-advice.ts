import { sql } from 'kysely';
import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { Context, Handlers } from '../api/handler.js';
import { type BaseFacts, compareDeltas, deltaOf, replacementReason } from './alternatives.js';
import { type Base, baseOfImage } from './base-of-image.js';
import { dockerfileOf, printAdvice } from './dockerfile-advice.js';
import { familiarRef, parseImageRef, repositoryOf } from './image-ref.js';
import { findImage, type ImageRow, noFindings, openBaseCounts, openCounts, type TierCounts } from './image-row.js';
import { isPlainBase } from './official-images.js';

type Advice = z.output<typeof containers.getBaseImageAdvice.output>;
type Alternatives = Advice['alternatives'];

const maxAlternatives = 5;

/** Images that are compared. */
const maxCandidates = 500;

/** The base of an image and what could replace it, by the scans of the whole organisation. */
export const getBaseImageAdvice: Handlers['containers']['getBaseImageAdvice'] = async (ctx, key) => {
  const image = await findImage(ctx, key);
  const own = await dockerfileOf(ctx, image, null);
  const base = await baseOfImage(ctx, image, own?.from ?? null);
  const name = { id: image.id, ref: image.ref };
  if (base === null) {
    return { image: name, base: null, alternatives: [], dockerfile: null, note: unknownBase };
  }
  const current = await currentCounts(ctx, image, base);
  const alternatives = current === null ? [] : await alternativesTo(ctx, image, base, current);
  const dockerfile =
    own !== null && (base.image?.id !== image.id || own.from.ref === base.ref)
      ? own
      : await dockerfileOf(ctx, image, base.ref);
  return {
    image: name,
    base: { ref: base.ref, image_id: base.image?.id ?? null, known_from: base.knownFrom },
    alternatives,
    dockerfile: dockerfile === null ? null : printAdvice(dockerfile, alternatives[0]),
    note: noteOn(base, current, alternatives),
  };
};

const unknownBase =
  'The report does not say what the image is built on: scan its base image too, set the Dockerfile, or build with the label org.opencontainers.image.base.name.';

/** Open findings of the base, or of the image's base layers if the base was not scanned; null where neither is known. */
async function currentCounts({ tx }: Context, image: ImageRow, base: Base): Promise<TierCounts | null> {
  if (base.image !== null) return (await openCounts(tx, [base.image])).get(base.image.id) ?? noFindings;
  if (image.base_layers === null) return null;
  return (await openBaseCounts(tx, [image], image.base_layers)).get(image.id) ?? noFindings;
}

async function alternativesTo(ctx: Context, image: ImageRow, base: Base, current: TierCounts): Promise<Alternatives> {
  // Where the base was not scanned, the image's own facts are the best that is known.
  const facts: BaseFacts = base.image ?? { ref: base.ref, os: image.os, runtime: image.runtime };
  const fitting = (await candidates(ctx, image, base)).flatMap((candidate) => {
    const why = replacementReason(facts, candidate);
    return why === null ? [] : [{ ...candidate, why }];
  });
  const counts = await openCounts(ctx.tx, fitting);
  return fitting
    .map(({ id, ref, why }) => ({ image_id: id, ref, delta: deltaOf(current, counts.get(id) ?? noFindings), why }))
    .sort((a, b) => compareDeltas(a.delta, b.delta) || (a.ref < b.ref ? -1 : 1))
    .slice(0, maxAlternatives);
}

/**
 * The organisation's images that can be a base, each ref as it was scanned last: tags of the base's repository, official
 * images of systems and languages, and images that others are built on. Neither the base itself nor an image that is built
 * on this one is among them.
 */
async function candidates({ tx, organisationId }: Context, image: ImageRow, base: Base): Promise<ImageRow[]> {
  const parsed = parseImageRef(base.ref);
  const repository = parsed === null ? base.ref : repositoryOf(parsed);
  const [digest, layers] = [base.image?.digest ?? null, image.layers];
  const rows = await tx
    .selectFrom('container_images')
    .selectAll()
    .distinctOn('ref')
    .where('organisation_id', '=', organisationId)
    .where('ref', 'not in', [base.ref, image.ref])
    .where('digest', 'is distinct from', digest ?? '')
    .where(sql<boolean>`(starts_with(ref, ${`${repository}:`}) or starts_with(ref, 'docker.io/library/') or stood_on)`)
    .$if(layers.length > 0, (query) =>
      query.where(sql<boolean>`layers[1:${layers.length}::integer] <> ${layers}::text[]`),
    )
    .orderBy('ref')
    .orderBy('scanned_at', 'desc')
    .limit(maxCandidates)
    .execute();
  return rows.filter(({ ref, stood_on }) => {
    const other = parseImageRef(ref);
    return stood_on || (other !== null && (repositoryOf(other) === repository || isPlainBase(other)));
  });
}

function noteOn({ ref, image }: Base, current: TierCounts | null, alternatives: Alternatives): string | null {
  const name = familiarRef(ref);
  if (current === null) return `Scan ${name}, so that there is something to compare with: the report has no layers.`;
  const repository = name.replace(/[:@][^/]*$/, '');
  if (alternatives.length === 0) {
    return `Nothing to compare with: scan what the image could be built on instead, such as a newer tag or a slimmer variant of ${repository}.`;
  }
  if (image === null) return `${name} has not been scanned: the findings in the image’s base layers stand for it.`;
  return null;
}
