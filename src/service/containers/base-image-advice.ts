import { sql } from 'kysely';
import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { Context, Handlers } from '../api/handler.js';
import { adviceNote, ageWarning } from './advice-note.js';
import { type BaseFacts, compareDeltas, deltaOf, isBetter, isStepBack, replacementReason } from './alternatives.js';
import { type Base, baseOfImage, isBaseItself } from './base-of-image.js';
import { dockerfileOf, type KnownDockerfile, printAdvice } from './dockerfile-advice.js';
import { beginsWith, misfitOf } from './dockerfile-fit.js';
import { parseImageRef, repositoryOf } from './image-ref.js';
import { findImage, type ImageRow, noFindings, openBaseCounts, openCounts, type TierCounts } from './image-row.js';
import { factsOfName } from './name-facts.js';
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
  const why = own === null || isBaseItself(image) ? null : await misfitOf(ctx, image, own.from);
  const misfit = own === null || why === null ? null : { from: own.from.from, ref: own.from.ref, why };
  const base = await baseOfImage(ctx, image, misfit === null ? (own?.from ?? null) : null);
  const counted = base === null ? null : await currentCounts(ctx, image, base);
  const compared =
    base === null || counted === null ? nothing : await compareWith(ctx, image, base, counted.counts, misfit?.ref);
  const alternatives = compared.better.slice(0, maxAlternatives);
  return {
    image: { id: image.id, ref: image.ref },
    base: base === null ? null : { ref: base.ref, image_id: base.image?.id ?? null, known_from: base.knownFrom },
    alternatives,
    dockerfile: await lineToChange(ctx, image, base, own, misfit === null ? alternatives[0] : undefined),
    note: adviceNote({
      now: ctx.now,
      scannedAt: image.scanned_at,
      misfit,
      base: base?.ref ?? null,
      countedIn: counted?.countedIn ?? null,
      compared: compared.scannedAt,
      better: alternatives.length,
      candidates: compared.candidates,
      isCut: compared.candidates >= maxCandidates,
    }),
  };
};

/** The Dockerfile's line that names the base: the image's own, else that of another image of the project on the same base. */
async function lineToChange(
  ctx: Context,
  image: ImageRow,
  base: Base | null,
  own: KnownDockerfile | null,
  best: Alternatives[number] | undefined,
): Promise<Advice['dockerfile']> {
  const isOwn = own !== null && (base?.image?.id !== image.id || own.from.ref === base.ref);
  const known = isOwn || base === null ? own : await dockerfileOf(ctx, image, base.ref);
  return known === null ? null : printAdvice(known, best);
}

/**
 * Open findings of the base that the image was built on; null where they are not known. The base's scan counts only if it may
 * be of the same build: a tag moves on, and then the image's own base layers are what it is.
 */
async function currentCounts({ tx }: Context, image: ImageRow, base: Base) {
  const isSameBuild =
    base.image !== null &&
    (base.image.id === image.id ||
      base.image.layers.length === 0 ||
      image.base_layers === null ||
      beginsWith(image.layers, base.image.layers));
  if (base.image !== null && isSameBuild) {
    const counts = (await openCounts(tx, [base.image])).get(base.image.id) ?? noFindings;
    return { counts, countedIn: 'scan' as const };
  }
  if (image.base_layers === null) return null;
  const counts = (await openBaseCounts(tx, [image], image.base_layers)).get(image.id) ?? noFindings;
  return { counts, countedIn: base.image === null ? ('layers' as const) : ('other_build' as const) };
}

interface Compared {
  /** Best first. */
  readonly better: Alternatives;
  /** Of every image that could replace the base, better or not. */
  readonly scannedAt: readonly Date[];
  readonly candidates: number;
}

const nothing: Compared = { better: [], scannedAt: [], candidates: 0 };

/** @param from a FROM that is not of the image: what is older than that is no step forward either */
async function compareWith(
  ctx: Context,
  image: ImageRow,
  base: Base,
  current: TierCounts,
  from: string | undefined,
): Promise<Compared> {
  // Where the base was not scanned, the image's own facts are the best that is known.
  const facts: BaseFacts = base.image ?? { ref: base.ref, os: image.os, runtime: image.runtime };
  const all = await candidates(ctx, image, base);
  const fitting = all.flatMap((candidate) => {
    const why = replacementReason(facts, candidate);
    const isOld = from !== undefined && isStepBack({ ref: from, ...factsOfName(from) }, candidate);
    return why === null || isOld ? [] : [{ ...candidate, why: `${why}${ageWarning(candidate.scanned_at, ctx.now)}` }];
  });
  const counts = await openCounts(ctx.tx, fitting);
  const better = fitting
    .map(({ id, ref, why }) => ({ image_id: id, ref, delta: deltaOf(current, counts.get(id) ?? noFindings), why }))
    .filter(({ delta }) => isBetter(delta))
    .sort((a, b) => compareDeltas(a.delta, b.delta) || (a.ref < b.ref ? -1 : 1));
  return { better, scannedAt: fitting.map(({ scanned_at }) => scanned_at), candidates: all.length };
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
