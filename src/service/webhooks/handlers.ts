import type { Context, Handlers } from '../api/handler.js';
import { inScope, isListed } from '../db/scope.js';
import { enqueue, notificationOf } from '../events/outbox.js';
import { notFound } from '../http/api-error.js';
import { loadPage } from '../http/page.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { findProject, requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/name-projects.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { addWebhook, deleteWebhook, updateWebhook } from './change-webhook.js';
import { lastDelivery, openWebhook, toWebhook } from './webhook-row.js';

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

function listWebhooks(secrets: SecretBox): Handlers['webhooks']['list'] {
  return async (ctx, { project_id, ...paging }) => {
    const { tx, organisationId } = ctx;
    await requireAsked(ctx, project_id);
    const webhooks = tx
      .selectFrom('webhooks')
      .selectAll()
      .select(lastDelivery)
      .where(isListed({ organisationId, projectId: project_id }));
    const page = await loadPage(paging, webhooks.orderBy('name').orderBy('id'));
    const projectOf = await nameProjects(ctx, project_id, page.items);
    const items = page.items.map((row) => ({ ...toWebhook(openWebhook(secrets, row)), ...projectOf(row) }));
    return { ...page, items };
  };
}

/** A webhook that is switched off can be tested too. */
const test: Handlers['webhooks']['test'] = async (ctx, { project_id, webhook_id }) => {
  const { tx, organisationId, now, audit } = ctx;
  const project = await findProject(ctx, project_id);
  const { name } = await requireWebhook(ctx, project_id, webhook_id);
  const key = { organisationId, projectId: project_id };
  const notification = notificationOf({ type: 'test', data: { webhook: name } }, key, project.name, now);
  const delivery_id = await enqueue(tx, organisationId, webhook_id, notification, now);
  await audit({ action: 'webhook.test', target: { kind: 'webhook', id: webhook_id }, after: { delivery_id } });
  return { delivery_id };
};

const listDeliveries: Handlers['webhooks']['listDeliveries'] = async (ctx, { project_id, webhook_id, ...paging }) => {
  const { tx, organisationId } = ctx;
  await findProject(ctx, project_id);
  await requireWebhook(ctx, project_id, webhook_id);
  const deliveries = tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'event', 'status', 'attempts', 'created_at', 'next_attempt_at', 'delivered_at', 'last_error'])
    .where('organisation_id', '=', organisationId)
    .where('webhook_id', '=', webhook_id);
  return loadPage(paging, deliveries.orderBy('created_at', 'desc').orderBy('id', 'desc'));
};

async function requireWebhook({ tx, organisationId }: Context, projectId: string, webhookId: string) {
  const row = await tx
    .selectFrom('webhooks')
    .select('name')
    .where(inScope({ organisationId, projectId }))
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  return row;
}
