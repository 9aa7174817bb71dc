import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DomainEvent, Notification } from './domain-event.js';

/**
 * Queues a notification for every enabled webhook of the project that wants the event, in the transaction of what has
 * happened: it is sent if and only if that is committed. One look-up where nobody wants it, none where nothing has happened.
 */
export async function enqueueEvents(
  tx: Transaction,
  project: ProjectKey,
  happened: readonly DomainEvent[],
  now: Date,
): Promise<void> {
  if (happened.length === 0) return;
  const types: string[] = happened.map(({ type }) => type);
  const webhooks = await tx
    .selectFrom('webhooks')
    .innerJoin('projects', (join) =>
      join
        .onRef('projects.organisation_id', '=', 'webhooks.organisation_id')
        .onRef('projects.id', '=', 'webhooks.project_id'),
    )
    .select(['webhooks.id', 'webhooks.events', 'projects.name as project_name'])
    .where('webhooks.organisation_id', '=', project.organisationId)
    .where('webhooks.project_id', '=', project.projectId)
    .where('webhooks.enabled', '=', true)
    .where(sql<boolean>`webhooks.events && ${types}::text[]`)
    .execute();
  for (const { id, events, project_name } of webhooks) {
    for (const event of happened.filter(({ type }) => events.includes(type))) {
      await enqueue(tx, project.organisationId, id, notificationOf(event, project, project_name, now), now);
    }
  }
}

/** Queues one notification for one webhook; answers the id of the delivery. */
export async function enqueue(
  tx: Transaction,
  organisation_id: string,
  webhook_id: string,
  { type, ...rest }: Notification,
  now: Date,
): Promise<string> {
  const id = newId('msg');
  await tx
    .insertInto('webhook_deliveries')
    .values({
      organisation_id,
      id,
      webhook_id,
      event: type,
      payload: JSON.stringify({ type, ...rest }),
      status: 'queued',
      created_at: now,
      next_attempt_at: now,
    })
    .execute();
  return id;
}

export function notificationOf(event: DomainEvent, project: ProjectKey, name: string, now: Date): Notification {
  const about = { id: project.projectId, name };
  // One case each: TypeScript does not carry a union through a spread.
  switch (event.type) {
    case 'alert.red':
    case 'alert.known_exploited':
      return { ...event, timestamp: now.toISOString(), data: { project: about, ...event.data } };
    case 'verdict.band_raised':
      return { ...event, timestamp: now.toISOString(), data: { project: about, ...event.data } };
    case 'scan.finished':
      return { ...event, timestamp: now.toISOString(), data: { project: about, ...event.data } };
    case 'override.changed':
      return { ...event, timestamp: now.toISOString(), data: { project: about, ...event.data } };
    case 'test':
      return { ...event, timestamp: now.toISOString(), data: { project: about, ...event.data } };
  }
}
