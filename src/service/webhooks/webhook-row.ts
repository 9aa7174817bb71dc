import { type Selectable, sql } from 'kysely';
import * as z from 'zod';
import { attemptStatus, webhookEvent, type webhooks } from '../../procedures/webhooks.js';
import type { Schema } from '../db/schema.js';
import { inScope } from '../db/scope.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { shownAddress } from './receiver-address.js';

/** A row as the database keeps it. */
type SealedRow = Selectable<Schema['webhooks']>;

/** A row whose address and signing key are open. */
export interface WebhookRow extends Omit<SealedRow, 'secret'> {
  readonly secret: Buffer | null;
}

type Sealed = Pick<SealedRow, 'id' | 'url' | 'secret'>;

/** The columns that are sealed, as the database keeps them, and the receiver's host and port, by which deliveries are shared. */
export function sealWebhook(secrets: SecretBox, { id, url, secret }: Pick<WebhookRow, 'id' | 'url' | 'secret'>) {
  return {
    url: secrets.seal(url, `webhooks.url ${id}`),
    origin: new URL(url).host,
    secret: secret === null ? null : secrets.seal(secret.toString('base64'), `webhooks.secret ${id}`),
  };
}

/** The same row, open. Throws `UnopenableError`. */
export function openWebhook<Row extends Sealed>(
  secrets: SecretBox,
  row: Row,
): Omit<Row, 'secret'> & Pick<WebhookRow, 'secret'> {
  const { id, secret } = row;
  const key = secret === null ? null : Buffer.from(secrets.open(secret, `webhooks.secret ${id}`), 'base64');
  return { ...row, url: secrets.open(row.url, `webhooks.url ${id}`), secret: key };
}
type Webhook = z.output<typeof webhooks.update.output>;

const lastDeliveryShape = z
  .object({ at: z.string().transform((text) => new Date(text)), status: attemptStatus })
  .nullable();

/** A column for `select` or `returning`: the webhook's newest delivery with an attempt, as JSON. */
export const lastDelivery = sql<unknown>`(
  select jsonb_build_object('at', coalesce(tried.delivered_at, tried.attempted_at, tried.created_at), 'status', tried.status)
  from webhook_deliveries as tried
  where tried.organisation_id = webhooks.organisation_id and tried.webhook_id = webhooks.id and tried.status <> 'queued'
  order by tried.created_at desc, tried.id desc
  limit 1
)`.as('last_delivery');

/** The condition that a row is a webhook of the project; without one, of any group. */
export function ofOwner(organisationId: string, projectId: string | undefined) {
  return projectId === undefined
    ? sql<boolean>`organisation_id = ${organisationId} and project_id is null`
    : inScope({ organisationId, projectId });
}

/** A webhook as the API answers it: its address without the secret parts. */
export function toWebhook(row: WebhookRow & { readonly last_delivery: unknown }): Webhook {
  const { id, kind, name, enabled, revision, created_at } = row;
  const last_delivery = lastDeliveryShape.parse(row.last_delivery);
  return {
    id,
    kind,
    name,
    url: shownAddress(row.url),
    events: knownEvents(row.events),
    enabled,
    revision,
    created_at,
    last_delivery,
  };
}

/** The events that this version knows, each once and in the order of the list. */
export function knownEvents(events: readonly string[]): Webhook['events'] {
  return webhookEvent.options.filter((event) => events.includes(event));
}

/** What the audit log keeps of a webhook: the address without the secret parts. */
export function auditFacts({ kind, name, url, events, enabled, group_id }: WebhookRow) {
  return { kind, name, url: shownAddress(url), events, enabled, ...(group_id !== null && { group_id }) };
}
