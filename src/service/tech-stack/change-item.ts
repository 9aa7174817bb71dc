import { normaliseName } from '../../shared/packages/purl.js';
import type { Context, Handlers } from '../api/handler.js';
import { reassessProject } from '../assessment/reassess-project.js';
import { newId } from '../db/ids.js';
import { byId, inScope } from '../db/scope.js';
import { conflict, invalidField, notFound, requireRevision } from '../http/api-error.js';
import { isVersion } from '../matching/versions/index.js';
import { requireProjectLock } from '../projects/find-project.js';
import { changeDerivedParts } from './derived-parts.js';
import { auditFacts, type ItemRow, type TechStackItem, toItems } from './item-row.js';

type TechStack = Handlers['techStack'];

/** The source of packages that were added one by one. */
const manual = 'manual';

export const addItem: TechStack['add'] = async (ctx, { project_id, ecosystem, name, version, scope }) => {
  if (!isVersion(ecosystem, version)) throw invalidField('version', 'not_a_version');
  const { tx, organisationId, now, audit } = ctx;
  const project = await requireProjectLock(ctx, project_id);
  const row = await tx
    .insertInto('tech_stack_items')
    .values({
      organisation_id: organisationId,
      id: newId('tsi'),
      project_id,
      source: manual,
      ...{ ecosystem, name, package_name: normaliseName(ecosystem, name), version, scope },
      added_at: now,
      updated_at: now,
    })
    .onConflict((tracked) => tracked.doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(() => conflict('already_tracked'));
  await audit({
    action: 'tech_stack.add',
    target: { kind: 'tech_stack_item', id: row.id },
    about: row,
    after: auditFacts(row),
  });
  await changeDerivedParts(tx, project, { after: row });
  await reassessProject(tx, project, now, [row]);
  return answerItem(ctx, row);
};

/** A new version clears what was about the old one: the deprecation notice, dependencies, licences and digests. */
export const updateItem: TechStack['update'] = async (
  ctx,
  { project_id, item_id, expected_revision, version, scope },
) => {
  if (version === undefined && scope === undefined) throw invalidField('', 'no_change');
  const { tx, organisationId, now, audit } = ctx;
  const project = await requireProjectLock(ctx, project_id);
  const row = await requireItem(ctx, project_id, item_id);
  if (version !== undefined && !isVersion(row.ecosystem, version)) throw invalidField('version', 'not_a_version');
  requireRevision(row.revision, expected_revision);
  const wanted = { version: version ?? row.version, scope: scope ?? row.scope };
  if (wanted.version === row.version && wanted.scope === row.scope) return answerItem(ctx, row);
  if (wanted.version !== row.version && (await isTracked(ctx, row, wanted.version))) throw conflict('already_tracked');
  const updated = await tx
    .updateTable('tech_stack_items')
    .set({
      ...wanted,
      ...(wanted.version !== row.version && ofAnyVersion),
      revision: row.revision + 1,
      updated_at: now,
    })
    .where(byId(organisationId, item_id))
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit({
    action: 'tech_stack.update',
    target: { kind: 'tech_stack_item', id: item_id },
    about: updated,
    before: { version: row.version, scope: row.scope },
    after: wanted,
  });
  await changeDerivedParts(tx, project, { before: row, after: updated });
  await reassessProject(tx, project, now, [updated]);
  return answerItem(ctx, updated);
};

const ofAnyVersion = {
  deprecated: null,
  ranges: null,
  dependencies: [],
  dependencies_known: null,
  licences: '[]',
  hashes: '[]',
};

export const removeItem: TechStack['remove'] = async (ctx, { project_id, item_id }) => {
  const { tx, organisationId, now, audit } = ctx;
  const project = await requireProjectLock(ctx, project_id);
  const row = await requireItem(ctx, project_id, item_id);
  await tx.deleteFrom('tech_stack_items').where(byId(organisationId, item_id)).execute();
  // What is left of the source no longer names all that the project asks for.
  await tx
    .updateTable('stack_sources')
    .set({ direct_known: 'incomplete', updated_at: now })
    .where(inScope({ organisationId, projectId: project_id }))
    .where('source', '=', row.source)
    .where('direct_known', '=', 'complete')
    .execute();
  await audit({
    action: 'tech_stack.remove',
    target: { kind: 'tech_stack_item', id: item_id },
    about: row,
    before: auditFacts(row),
  });
  await changeDerivedParts(tx, project, { before: row });
  await reassessProject(tx, project, now, [row]);
  return { id: item_id, deleted: true };
};

/** The item, or 404. The project's lock keeps others from changing it meanwhile. */
async function requireItem({ tx, organisationId }: Context, projectId: string, itemId: string): Promise<ItemRow> {
  const row = await tx
    .selectFrom('tech_stack_items')
    .selectAll()
    .where(inScope({ organisationId, projectId }))
    .where('id', '=', itemId)
    .executeTakeFirstOrThrow(() => notFound('tech_stack_item'));
  return row;
}

/** Whether the same source tracks the package at this version already. */
async function isTracked({ tx, organisationId }: Context, row: ItemRow, version: string): Promise<boolean> {
  const other = await tx
    .selectFrom('tech_stack_items')
    .select('id')
    .where(inScope({ organisationId, projectId: row.project_id }))
    .where('source', '=', row.source)
    .where('ecosystem', '=', row.ecosystem)
    .where('package_name', '=', row.package_name)
    .where('version', '=', version)
    .executeTakeFirst();
  return other !== undefined;
}

async function answerItem({ tx }: Context, row: ItemRow): Promise<TechStackItem> {
  const [answer] = await toItems(tx, [row]);
  if (answer === undefined) throw notFound('tech_stack_item');
  return answer;
}
