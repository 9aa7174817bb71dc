import { type Selectable, sql } from 'kysely';
import * as z from 'zod';
import { attemptStatus, webhookEvent, type webhooks } from '../../procedures/webhooks.js';
import type { Schema } from '../db/schema.js';
import { shownAddress } from './receiver-address.js';

export type WebhookRow = Selectable<Schema['webhooks']>;
export type ToldWebhook = z.output<typeof webhooks.update.output>;

type LastDelivery = ToldWebhook['last_delivery'];

const lastDeliveryShape = z
  .object({ at: z.string().transform((text) => new Date(text)), status: attemptStatus })
  .nullable();

/** Selects (or returns) with a webhook its newest delivery that was tried, as JSON. */
export const lastDelivery = sql<unknown>`(
  select jsonb_build_object('at', coalesce(tried.delivered_at, tried.attempted_at, tried.created_at), 'status', tried.status)
  from webhook_deliveries as tried
  where tried.organisation_id = webhooks.organisation_id and tried.webhook_id = webhooks.id and tried.status <> 'queued'
  order by tried.created_at desc, tried.id desc
  limit 1
)`.as('last_delivery');

/** A webhook as the API answers it: its address without what is secret. */
export function toWebhook(row: WebhookRow & { readonly last_delivery: unknown }): ToldWebhook {
  const { id, kind, name, enabled, revision, created_at } = row;
  const last_delivery: LastDelivery = lastDeliveryShape.parse(row.last_delivery);
  return {
    id,
    kind,
    name,
    url: shownAddress(row.url),
    events: told(row.events),
    enabled,
    revision,
    created_at,
    last_delivery,
  };
}

/** The events that this version knows, in its order, each once. */
export function told(events: readonly string[]): ToldWebhook['events'] {
  return webhookEvent.options.filter((event) => events.includes(event));
}

/** What the audit log keeps of a webhook: no address with its secret. */
export function auditFacts({ kind, name, url, events, enabled }: WebhookRow) {
  return { kind, name, url: shownAddress(url), events, enabled };
}
