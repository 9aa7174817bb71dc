import { sql } from 'kysely';
import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { Context, Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { commonFacts, type FindingRow } from '../findings/finding-row.js';
import { listFindings } from '../findings/list-findings.js';
import { seenBy } from '../findings/sightings.js';
import { notFound } from '../http/api-error.js';
import { pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { findingDetails } from './finding-details.js';
import { normaliseRef } from './image-ref.js';
import type { ImageRow } from './image-row.js';

type Finding = z.output<typeof containers.listFindings.output>['items'][number];
type FindingImage = Pick<ImageRow, 'id' | 'ref' | 'base_layers'>;

/** One page of a project's container findings, worst first. An unknown image is a 404, not an empty page. */
export const listContainerFindings: Handlers['containers']['listFindings'] = async (ctx, { image, ...input }) => {
  const [source] = await Promise.all([
    image === undefined ? undefined : refOf(ctx, input.project_id, image),
    findProject(ctx, input.project_id),
  ]);
  if (image !== undefined && source === undefined) throw notFound('image');
  const filter = { ...input, domain: 'containers', source } as const;
  const { total, rows } = await listFindings(ctx.tx, ctx.organisationId, filter);
  const images = await imagesOf(ctx, input.project_id, rows);
  const page = pageAnswer(
    input,
    total,
    rows.flatMap((row) => {
      const of = images.get(row.source);
      return of === undefined ? [] : [toFinding(row, of)];
    }),
  );
  const scope = { organisationId: ctx.organisationId, projectId: input.project_id };
  return { ...page, coverage: await listCoverage(ctx.tx, total, { scope, domain: 'containers', source }, ctx.now) };
};

async function refOf({ tx, organisationId }: Context, projectId: string, image: string): Promise<string | undefined> {
  const ref = normaliseRef(image);
  const row = await tx
    .selectFrom('container_images')
    .select('ref')
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId }))
    .where(({ or }) => or({ id: image, ...(ref !== null && { ref }) }))
    .executeTakeFirst();
  return row?.ref;
}

async function imagesOf({ tx, organisationId }: Context, projectId: string, rows: readonly FindingRow[]) {
  const refs = [...new Set(rows.map(({ source }) => source))];
  const images = await tx
    .selectFrom('container_images')
    .select(['id', 'ref', 'base_layers'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId }))
    .where(sql<boolean>`ref = any (${refs}::text[])`)
    .execute();
  return new Map<string, FindingImage>(images.map((image) => [image.ref, image]));
}

function toFinding(row: FindingRow, image: FindingImage): Finding {
  const { tool: _tool, ...common } = commonFacts(row);
  const {
    layers,
    epss,
    kev,
    label: _label,
    cves: _cves,
    deciding_score: _score,
    ...details
  } = findingDetails.parse(row.details);
  return {
    ...common,
    image_id: image.id,
    image_ref: image.ref,
    vulnerability_id: row.rule_id,
    title: row.title,
    ...details,
    seen_by: seenBy(row.sightings),
    layer: layerOf(layers, image.base_layers),
    epss: row.epss === null || epss === null ? null : { probability: row.epss, ...epss },
    kev: row.kev_added === null || kev === null ? null : { date_added: row.kev_added, ...kev },
  };
}

/** The base's layers are the first ones. */
function layerOf(layers: readonly [number, number] | null, baseLayers: number | null): Finding['layer'] {
  if (layers === null || baseLayers === null) return 'unknown';
  const [first, last] = layers;
  if (last < baseLayers) return 'base_image';
  return first >= baseLayers ? 'own' : 'unknown';
}
