import { sql } from 'kysely';
import { webhookEvent } from '../../procedures/webhooks.js';
import { inAllProjects } from '../db/all-projects.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DomainEvent, Notification } from './domain-event.js';

/** The events for a webhook that subscribes to these. */
export type EventsFor = (wanted: readonly string[]) => readonly DomainEvent[];

/**
 * Queues a notification of each event for every enabled webhook of the project and its groups that subscribes to it. Runs in the
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
  // Also by a key that is bound to the project: it does not see the webhooks of groups, and learns nothing of them.
  await inAllProjects(tx, async () => {
    const webhooks = await subscribers(tx, project, types);
    const deliveries = webhooks.flatMap(({ id, events: wanted, project_name }) =>
      eventsFor(wanted).map((event) => deliveryOf(id, notificationOf(event, project, project_name, now))),
    );
    await insertDeliveries(tx, project.organisationId, deliveries, now);
  });
}

interface Subscriber {
  readonly id: string;
  readonly events: readonly string[];
  readonly project_name: string;
}

/** The webhooks of the project, of its group and of the group that this is in. */
async function subscribers(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  types: readonly string[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select webhook.id, webhook.events, project.name as project_name
    from projects as project
    left join project_groups as held on held.organisation_id = project.organisation_id and held.id = project.group_id
    join webhooks as webhook on webhook.organisation_id = project.organisation_id
      and (webhook.project_id = project.id or webhook.group_id in (held.id, held.parent_id))
    where project.organisation_id = ${organisationId} and project.id = ${projectId}
      and webhook.enabled and webhook.events && ${[...types]}::text[]`.execute(tx);
  return rows;
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
