import type { WebhookKind } from '../../procedures/webhooks.js';
import type { Context, Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId, inScope } from '../db/scope.js';
import { invalidField, notFound, requireRevision } from '../http/api-error.js';
import { requireRoom } from '../limits/require-room.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { findProject } from '../projects/find-project.js';
import { receiverRejection } from './receiver-address.js';
import { newSigningKey, printSigningKey } from './secret.js';
import { failWaiting } from './settle.js';
import { auditFacts, knownEvents, lastDelivery, toWebhook, type WebhookRow } from './webhook-row.js';

type Input<Name extends keyof Handlers['webhooks']> = Parameters<Handlers['webhooks'][Name]>[1];
type Answer<Name extends keyof Handlers['webhooks']> = ReturnType<Handlers['webhooks'][Name]>;

/** The signing key of a generic webhook is answered here and never again. */
export async function addWebhook(ctx: Context, input: Input<'add'>, allowed: AllowedHosts): Answer<'add'> {
  const { tx, organisationId, now, audit } = ctx;
  const { project_id, kind, name, url } = input;
  await findProject(ctx, project_id);
  requireReceiver(kind, url, allowed);
  await requireRoom(tx, organisationId, 'webhooks');
  const secret = kind === 'generic' ? newSigningKey() : null;
  const row = await tx
    .insertInto('webhooks')
    .values({
      organisation_id: organisationId,
      id: newId('whk'),
      project_id,
      kind,
      name,
      url,
      secret,
      events: knownEvents(input.events),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit({ action: 'webhook.add', target: { kind: 'webhook', id: row.id }, after: auditFacts(row) });
  return {
    webhook: toWebhook({ ...row, last_delivery: null }),
    secret: secret === null ? null : printSigningKey(secret),
  };
}

/** Waiting deliveries go to the new address. If the webhook is switched off, they fail. */
export async function updateWebhook(ctx: Context, input: Input<'update'>, allowed: AllowedHosts): Answer<'update'> {
  const { project_id, webhook_id, expected_revision, ...changes } = input;
  if (Object.values(changes).every((value) => value === undefined)) throw invalidField('', 'no_change');
  const { tx, organisationId, audit } = ctx;
  await findProject(ctx, project_id);
  const before = await tx
    .selectFrom('webhooks')
    .selectAll()
    .select(lastDelivery)
    .where(inScope({ organisationId, projectId: project_id }))
    .where('id', '=', webhook_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  requireRevision(before.revision, expected_revision);
  const next = {
    name: changes.name ?? before.name,
    url: changes.url ?? before.url,
    events: knownEvents(changes.events ?? before.events),
    enabled: changes.enabled ?? before.enabled,
  };
  if (next.url !== before.url) requireReceiver(before.kind, next.url, allowed);
  if (JSON.stringify(next) === JSON.stringify(changeable(before))) return toWebhook(before);
  const after = await tx
    .updateTable('webhooks')
    .set({ ...next, revision: before.revision + 1 })
    .where(byId(organisationId, webhook_id))
    .returningAll()
    .returning(lastDelivery)
    .executeTakeFirstOrThrow();
  if (before.enabled && !after.enabled) await failWaiting(tx, organisationId, webhook_id);
  await audit({
    action: 'webhook.update',
    target: { kind: 'webhook', id: webhook_id },
    before: { ...auditFacts(before), address_replaced: false },
    // Two addresses that differ only in their secret are shown the same.
    after: { ...auditFacts(after), address_replaced: after.url !== before.url },
  });
  return toWebhook(after);
}

/** The database also deletes the log and the waiting deliveries (on delete cascade). */
export async function deleteWebhook(ctx: Context, { project_id, webhook_id }: Input<'delete'>): Answer<'delete'> {
  const { tx, organisationId, audit } = ctx;
  await findProject(ctx, project_id);
  const before = await tx
    .deleteFrom('webhooks')
    .where(inScope({ organisationId, projectId: project_id }))
    .where('id', '=', webhook_id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  await audit({ action: 'webhook.delete', target: { kind: 'webhook', id: webhook_id }, before: auditFacts(before) });
  return { id: webhook_id, deleted: true };
}

function changeable({ name, url, events, enabled }: WebhookRow) {
  return { name, url, events: knownEvents(events), enabled };
}

function requireReceiver(kind: WebhookKind, url: string, allowed: AllowedHosts): void {
  const rejection = receiverRejection(kind, url, allowed);
  if (rejection !== null) throw invalidField('url', rejection);
}
