import { sql } from 'kysely';
import { webhookEvent } from '../../procedures/webhooks.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope, refersTo } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DomainEvent, Notification } from './domain-event.js';

/** The events for a webhook that subscribes to these. */
export type EventsFor = (wanted: readonly string[]) => readonly DomainEvent[];

/**
 * Queues a notification of each event for every enabled webhook of the project that subscribes to it. Runs in the
 * transaction of the change: a notification is sent if and only if the change is committed.
 */
export async function emitEvents(
  tx: Transaction,
  project: ProjectKey,
  events: readonly DomainEvent[],
  now: Date,
): Promise<void> {
  return emitEventsFor(tx, project, (wanted) => events.filter(({ type }) => wanted.includes(type)), now);
}

/** The same where what a webhook gets depends on all that it subscribes to. */
export async function emitEventsFor(
  tx: Transaction,
  project: ProjectKey,
  eventsFor: EventsFor,
  now: Date,
): Promise<void> {
  const types: string[] = webhookEvent.options.filter((type) => eventsFor([type]).length > 0);
  if (types.length === 0) return;
  const webhooks = await tx
    .selectFrom('webhooks')
    .innerJoin('projects', (join) => join.on(refersTo('webhooks.project_id', 'projects')))
    .select(['webhooks.id', 'webhooks.events', 'projects.name as project_name'])
    .where(inScope(project, 'webhooks'))
    .where('webhooks.enabled', '=', true)
    .where(sql<boolean>`webhooks.events && ${types}::text[]`)
    .execute();
  const deliveries = webhooks.flatMap(({ id, events: wanted, project_name }) =>
    eventsFor(wanted).map((event) => deliveryOf(id, notificationOf(event, project, project_name, now))),
  );
  await insertDeliveries(tx, project.organisationId, deliveries, now);
}

/** Queues a notification for one webhook; answers the id of the delivery. */
export async function enqueue(
  tx: Transaction,
  organisationId: string,
  webhookId: string,
  notification: Notification,
  now: Date,
): Promise<string> {
  const delivery = deliveryOf(webhookId, notification);
  await insertDeliveries(tx, organisationId, [delivery], now);
  return delivery.id;
}

type Delivery = ReturnType<typeof deliveryOf>;

function deliveryOf(webhook_id: string, notification: Notification) {
  return { id: newId('msg'), webhook_id, event: notification.type, payload: notification };
}

/** One statement for all, whose cost hardly grows with their number. */
async function insertDeliveries(
  tx: Transaction,
  organisationId: string,
  deliveries: readonly Delivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    insert into webhook_deliveries (organisation_id, id, webhook_id, event, payload, status, created_at, next_attempt_at)
    select ${organisationId}, id, webhook_id, event, payload, 'queued', ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      as given (id text, webhook_id text, event text, payload jsonb)`.execute(tx);
}

export function notificationOf(event: DomainEvent, { projectId }: ProjectKey, name: string, now: Date): Notification {
  const data = { project: { id: projectId, name }, ...event.data };
  // Object.assign keeps the type of the union, a spread does not.
  return Object.assign({}, event, { timestamp: now.toISOString(), data });
}
