import type { WebhookKind } from '../../procedures/webhooks.js';
import type { Context, Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { tenantFacts } from '../db/transactions.js';
import { ApiError, invalidField, notFound, requireRevision } from '../http/api-error.js';
import { requireRoom } from '../limits/require-room.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { holdGroup } from '../projects/find-group.js';
import { requireAsked } from '../projects/find-project.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { receiverRejection } from './receiver-address.js';
import { newSigningKey, printSigningKey } from './secret.js';
import { failWaiting } from './settle.js';
import {
  auditFacts,
  knownEvents,
  lastDelivery,
  ofOwner,
  openWebhook,
  sealWebhook,
  toWebhook,
  type WebhookRow,
} from './webhook-row.js';

interface Rules {
  /** Receivers that may be private addresses. */
  readonly allowed: AllowedHosts;
  readonly secrets: SecretBox;
}

type Input<Name extends keyof Handlers['webhooks']> = Parameters<Handlers['webhooks'][Name]>[1];
type Answer<Name extends keyof Handlers['webhooks']> = ReturnType<Handlers['webhooks'][Name]>;

/** The signing key of a generic webhook is answered here and never again. */
export async function addWebhook(ctx: Context, input: Input<'add'>, { allowed, secrets }: Rules): Answer<'add'> {
  const { tx, organisationId, now, audit } = ctx;
  const { project_id = null, kind, name, url } = input;
  if ((project_id === null) === (input.group === undefined)) throw invalidField('project_id', 'project_or_group');
  const group_id = await groupOf(ctx, input);
  await requireAsked(ctx, input.project_id);
  requireReceiver(kind, url, allowed);
  await requireRoom(tx, organisationId, 'webhooks');
  const secret = kind === 'generic' ? newSigningKey() : null;
  const id = newId('whk');
  const sealed = await tx
    .insertInto('webhooks')
    .values({
      organisation_id: organisationId,
      id,
      project_id,
      group_id,
      kind,
      name,
      ...sealWebhook(secrets, { id, url, secret }),
      events: knownEvents(input.events),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const row = openWebhook(secrets, sealed);
  await audit({ action: 'webhook.add', target: { kind: 'webhook', id: row.id }, after: auditFacts(row) });
  return {
    webhook: toWebhook({ ...row, last_delivery: null }),
    secret: secret === null ? null : printSigningKey(secret),
  };
}

async function groupOf(ctx: Context, { group }: Input<'add'>): Promise<string | null> {
  if (group === undefined) return null;
  const { id } = await holdGroup(ctx, group);
  if (tenantFacts(ctx.tx).projectIds !== null) {
    throw new ApiError('forbidden', { detail: 'this API key is bound to projects, and the group may have others' });
  }
  return id;
}

/** Waiting deliveries go to the new address. If the webhook is switched off, they fail. */
export async function updateWebhook(
  ctx: Context,
  input: Input<'update'>,
  { allowed, secrets }: Rules,
): Answer<'update'> {
  const { project_id, webhook_id, expected_revision, ...changes } = input;
  if (Object.values(changes).every((value) => value === undefined)) throw invalidField('', 'no_change');
  const { tx, organisationId, audit } = ctx;
  await requireAsked(ctx, project_id);
  const stored = await tx
    .selectFrom('webhooks')
    .selectAll()
    .select(lastDelivery)
    .where(ofOwner(organisationId, project_id))
    .where('id', '=', webhook_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  const before = openWebhook(secrets, stored);
  requireRevision(before.revision, expected_revision);
  const next = {
    name: changes.name ?? before.name,
    url: changes.url ?? before.url,
    events: knownEvents(changes.events ?? before.events),
    enabled: changes.enabled ?? before.enabled,
  };
  if (next.url !== before.url) requireReceiver(before.kind, next.url, allowed);
  if (JSON.stringify(next) === JSON.stringify(changeable(before))) return toWebhook(before);
  const written = await tx
    .updateTable('webhooks')
    .set({ ...next, ...sealWebhook(secrets, { ...before, url: next.url }), revision: before.revision + 1 })
    .where(byId(organisationId, webhook_id))
    .returningAll()
    .returning(lastDelivery)
    .executeTakeFirstOrThrow();
  const after = openWebhook(secrets, written);
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
export async function deleteWebhook(
  ctx: Context,
  { project_id, webhook_id }: Input<'delete'>,
  { secrets }: Pick<Rules, 'secrets'>,
): Answer<'delete'> {
  const { tx, organisationId, audit } = ctx;
  await requireAsked(ctx, project_id);
  const deleted = await tx
    .deleteFrom('webhooks')
    .where(ofOwner(organisationId, project_id))
    .where('id', '=', webhook_id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('webhook'));
  await audit({
    action: 'webhook.delete',
    target: { kind: 'webhook', id: webhook_id },
    before: auditFacts(openWebhook(secrets, deleted)),
  });
  return { id: webhook_id, deleted: true };
}

function changeable({ name, url, events, enabled }: WebhookRow) {
  return { name, url, events: knownEvents(events), enabled };
}

function requireReceiver(kind: WebhookKind, url: string, allowed: AllowedHosts): void {
  const rejection = receiverRejection(kind, url, allowed);
  if (rejection !== null) throw invalidField('url', rejection);
}
