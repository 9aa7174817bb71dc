import { sql } from 'kysely';
import { urgentEvents, webhookEvent } from '../../procedures/webhooks.js';
import { inAllProjects } from '../db/all-projects.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DomainEvent, Notification } from './domain-event.js';
import { ownerEvent } from './mail-events.js';

/** The events for a webhook that subscribes to these. */
export type EventsFor = (wanted: readonly string[]) => readonly DomainEvent[];

/** Mails to an owner are a minute apart at least: what happens meanwhile is one mail (mail/owner-notifications.ts). */
const gatheredMs = 60_000;

/**
 * Queues a notification of each event for every enabled webhook of the project and its groups that subscribes to it, and of
 * urgent ones for the owners of the groups. Runs in the transaction of the change: a notification is sent if and only if the
 * change is committed.
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
    const receivers = await subscribers(tx, project, types);
    const deliveries = receivers.flatMap(({ webhook_id, owner_id, events: wanted, project_name }) =>
      eventsFor(wanted).map((event) => {
        const notification = notificationOf(event, project, project_name, now);
        return owner_id === null ? deliveryOf(webhook_id, notification) : mailOf(owner_id, notification);
      }),
    );
    await insertDeliveries(tx, project.organisationId, deliveries, now);
  });
}

type Subscriber = {
  readonly events: readonly string[];
  readonly project_name: string;
} & (
  | { readonly webhook_id: string; readonly owner_id: null }
  | { readonly webhook_id: null; readonly owner_id: string }
);

/** The webhooks of the project, of its group and of the group that this is in, and the owners of these groups whose address is theirs. */
async function subscribers(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  types: readonly string[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    with project as (
      select project.organisation_id, project.id, project.name as project_name, held.id as group_id, held.parent_id
      from projects as project
      left join project_groups as held on held.organisation_id = project.organisation_id and held.id = project.group_id
      where project.organisation_id = ${organisationId} and project.id = ${projectId}
    )
    select webhook.id as webhook_id, null as owner_id, webhook.events, project_name
    from project
    join webhooks as webhook on webhook.organisation_id = project.organisation_id
      and (webhook.project_id = project.id or webhook.group_id in (project.group_id, project.parent_id))
    where webhook.enabled and webhook.events && ${[...types]}::text[]
    union all
    select null, owner.id, ${[...urgentEvents]}::text[], project_name
    from project
    join members as owner on owner.organisation_id = project.organisation_id and owner.id in (
      select owner_id from project_groups as owned
      where owned.organisation_id = project.organisation_id and owned.id in (project.group_id, project.parent_id)
    )
    where owner.proven_by is not null and owner.deactivated_at is null
      and ${[...urgentEvents]}::text[] && ${[...types]}::text[]`.execute(tx);
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

type Delivery = ReturnType<typeof deliveryOf | typeof mailOf>;

function deliveryOf(webhook_id: string, notification: Notification) {
  return { id: newId('msg'), webhook_id, member_id: null, event: notification.type, payload: notification };
}

function mailOf(member_id: string, notification: Notification) {
  return { id: newId('msg'), webhook_id: null, member_id, event: ownerEvent, payload: gathered([notification]) };
}

/** What one mail to an owner is written from. */
export function gathered(notifications: readonly Notification[], more = 0) {
  return { notifications, more };
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
    insert into webhook_deliveries (organisation_id, id, webhook_id, member_id, event, payload, status, created_at, next_attempt_at)
    select ${organisationId}, id, webhook_id, member_id, event, payload, 'queued', ${now}::timestamptz,
      case when member_id is null then ${now}::timestamptz else ${new Date(now.getTime() + gatheredMs)}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      as given (id text, webhook_id text, member_id text, event text, payload jsonb)`.execute(tx);
}

export function notificationOf(event: DomainEvent, { projectId }: ProjectKey, name: string, now: Date): Notification {
  const data = { project: { id: projectId, name }, ...event.data };
  // Object.assign keeps the type of the union, a spread does not.
  return Object.assign({}, event, { timestamp: now.toISOString(), data });
}
