import { sql } from 'kysely';
import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { Context, Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/coverage.js';
import { exploitationGap } from '../coverage/feed-coverage.js';
import { isListed, type Scope } from '../db/scope.js';
import { commonFacts, type FindingRow } from '../findings/finding-row.js';
import { filterGaps, listFindings } from '../findings/list-findings.js';
import { seenBy } from '../findings/sightings.js';
import { notFound } from '../http/api-error.js';
import { answerPage, asOf, withItems } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { findingDetails } from './finding-details.js';
import { normaliseRef } from './image-ref.js';
import type { ImageRow } from './image-row.js';
import { layerOf } from './layer-of.js';

type Finding = z.output<typeof containers.listFindings.output>['items'][number];
type FindingImage = Pick<ImageRow, 'id' | 'ref' | 'base_layers'>;

/** One page of container findings, worst first. An unknown image is a 404, not an empty page. */
export const listContainerFindings: Handlers['containers']['listFindings'] = async (ctx, { image, ...input }) => {
  const wanted = await listScope(ctx, input);
  const [asked] = await Promise.all([
    image === undefined ? undefined : imageAsked(ctx, wanted, image),
    requireAsked(ctx, input.project_id),
  ]);
  if (image !== undefined && asked === undefined) throw notFound('image');
  const scope =
    asked?.projectId === undefined ? wanted : { organisationId: ctx.organisationId, projectId: asked.projectId };
  const filter = { ...input, domain: 'containers', source: asked?.ref } as const;
  const [as_of, { total, rows }] = await Promise.all([asOf(ctx, input), listFindings(ctx.tx, scope, filter)]);
  const page = answerPage(ctx, input, { as_of, total, rows });
  const [images, projectOf] = await Promise.all([
    imagesOf(ctx, page.items),
    nameProjects(ctx, input.project_id, page.items),
  ]);
  const items = page.items.map((row) => {
    const of = images.get(imageKey(row.project_id, row.source));
    return of === undefined ? undefined : { ...toFinding(row, of), ...projectOf(row) };
  });
  const coverage = await listCoverage(ctx.tx, total, { scope, ...filter }, ctx.now, async () => ({
    gaps: [
      ...(await filterGaps(ctx.tx, scope, filter)),
      ...(filter.epss_min === undefined ? [] : await exploitationGap(ctx.tx, 'epss', ctx.now)),
    ],
  }));
  return { ...withItems(page, items), coverage };
};

/** The image by its id, which is of one project, or by its ref, which several projects may have. */
async function imageAsked(
  { tx }: Context,
  scope: Scope,
  image: string,
): Promise<{ readonly ref: string; readonly projectId: string | undefined } | undefined> {
  const ref = normaliseRef(image);
  const rows = await tx
    .selectFrom('container_images')
    .select(['id', 'ref', 'project_id'])
    .where(isListed(scope))
    .where(({ or }) => or({ id: image, ...(ref !== null && { ref }) }))
    .execute();
  const byId = rows.find(({ id }) => id === image);
  if (byId !== undefined) return { ref: byId.ref, projectId: byId.project_id };
  return rows[0] && { ref: rows[0].ref, projectId: scope.projectId };
}

async function imagesOf({ tx, organisationId }: Context, rows: readonly FindingRow[]) {
  const projects = rows.map(({ project_id }) => project_id);
  const refs = rows.map(({ source }) => source);
  const images = await tx
    .selectFrom('container_images')
    .select(['id', 'ref', 'base_layers', 'project_id'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`(project_id, ref) in (select * from unnest(${projects}::text[], ${refs}::text[]))`)
    .execute();
  return new Map<string, FindingImage>(images.map((image) => [imageKey(image.project_id, image.ref), image]));
}

/** Ids have no spaces. */
function imageKey(projectId: string, ref: string): string {
  return `${projectId} ${ref}`;
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
