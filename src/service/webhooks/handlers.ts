import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { isListed, type Scope } from '../db/scope.js';
import { enqueue, notificationOf } from '../events/outbox.js';
import { notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { nameGroups } from '../projects/find-group.js';
import { requireAsked } from '../projects/find-project.js';
import { groupIds, listScope, nameProjects } from '../projects/list-scope.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { addWebhook, deleteWebhook, updateWebhook } from './change-webhook.js';
import { lastDelivery, ofOwner, openWebhook, toWebhook } from './webhook-row.js';

/** @param allowed receivers that may be private addresses */
export function webhookHandlers(allowed: AllowedHosts, secrets: SecretBox): Handlers['webhooks'] {
  const rules = { allowed, secrets };
  return {
    list: listWebhooks(secrets),
    add: (ctx, input) => addWebhook(ctx, input, rules),
    update: (ctx, input) => updateWebhook(ctx, input, rules),
    delete: (ctx, input) => deleteWebhook(ctx, input, rules),
    test,
    listDeliveries,
  };
}

const byName: List = { keys: [key('name', 'text'), key('id', 'text')], appeared: sql`created_at` };

const newestDeliveries: List = {
  keys: [key('created_at', 'timestamptz', 'desc'), key('id', 'text', 'desc')],
  appeared: sql`created_at`,
};

function listWebhooks(secrets: SecretBox): Handlers['webhooks']['list'] {
  return async (ctx, { project_id, group, ...paging }) => {
    const { tx } = ctx;
    await requireAsked(ctx, project_id);
    const scope = await listScope(ctx, { project_id, group });
    const groups = group === undefined ? undefined : await groupIds(ctx, group);
    const webhooks = tx.selectFrom('webhooks').selectAll().select(lastDelivery).where(isListedOfOwner(scope, groups));
    const page = await loadPage(ctx, byName, paging, webhooks);
    const ofProjects = page.items.flatMap(({ project_id: of }) => (of === null ? [] : [{ project_id: of }]));
    const projectOf = await nameProjects(ctx, project_id, ofProjects);
    const groupOf = await nameGroups(
      ctx,
      page.items.map(({ group_id }) => group_id),
    );
    const items = page.items.map((row) => ({
      ...toWebhook(openWebhook(secrets, row)),
      ...(row.project_id === null
        ? { group: groupOf(row.group_id) ?? undefined }
        : projectOf({ project_id: row.project_id })),
    }));
    return { ...page, items };
  };
}

/** In a scope of several projects, the webhooks of groups are listed too: of all of them, or of those that were asked for. */
function isListedOfOwner(scope: Scope, groups: readonly string[] | undefined) {
  const { organisationId, projectId } = scope;
  if (projectId !== undefined) return isListed(scope);
  const ofGroups = groups === undefined ? sql`group_id is not null` : sql`group_id = any (${[...groups]}::text[])`;
  return sql<boolean>`organisation_id = ${organisationId} and (${isListed(scope)} or ${ofGroups})`;
}

/** A webhook that is switched off can be tested too. That of a group gets the group in the place of a project. */
const test: Handlers['webhooks']['test'] = async (ctx, { project_id, webhook_id }) => {
  const { tx, organisationId, now, audit } = ctx;
  await requireAsked(ctx, project_id);
  const { name, owner, owner_name } = await requireWebhook(ctx, project_id, webhook_id);
  const key = { organisationId, projectId: owner };
  const notification = notificationOf({ type: 'test', data: { webhook: name } }, key, owner_name, now);
  const delivery_id = await enqueue(tx, organisationId, webhook_id, notification, now);
  await audit({ action: 'webhook.test', target: { kind: 'webhook', id: webhook_id }, after: { delivery_id } });
  return { delivery_id };
};

const listDeliveries: Handlers['webhooks']['listDeliveries'] = async (ctx, { project_id, webhook_id, ...paging }) => {
  const { tx, organisationId } = ctx;
  await requireAsked(ctx, project_id);
  await requireWebhook(ctx, project_id, webhook_id);
  const deliveries = tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'event', 'status', 'attempts', 'created_at', 'next_attempt_at', 'delivered_at', 'last_error'])
    .where('organisation_id', '=', organisationId)
    .where('webhook_id', '=', webhook_id);
  return loadPage(ctx, newestDeliveries, paging, deliveries);
};

async function requireWebhook({ tx, organisationId }: Context, projectId: string | undefined, webhookId: string) {
  const nameIn = (table: 'projects' | 'project_groups', id: string) =>
    sql`(select name from ${sql.table(table)} where organisation_id = ${organisationId} and id = webhooks.${sql.ref(id)})`;
  const row = await tx
    .selectFrom('webhooks')
    .select('name')
    .select(sql<string>`coalesce(project_id, group_id)`.as('owner'))
    .select(
      sql<string>`coalesce(${nameIn('projects', 'project_id')}, ${nameIn('project_groups', 'group_id')})`.as(
        'owner_name',
      ),
    )
    .where(ofOwner(organisationId, projectId))
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  return row;
}
