import { sql } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type Notification, notification } from '../events/domain-event.js';
import { ownerEvent } from '../events/mail-events.js';
import { gathered } from '../events/outbox.js';
import type { DueMail } from '../webhooks/claim.js';
import { messageOf } from '../webhooks/message.js';
import { activeMember, named, type Writer } from './writer.js';

/** Lines of a mail. */
const maxLines = 50;

/** Mails that become one at a time. */
const maxGathered = 500;

/** Of each mail to an owner. The number of those that there was no place for is kept. */
const payload = z.object({ notifications: z.array(notification), more: z.int() });

/**
 * One mail of all that waits for an owner. Whoever owns the groups no more, or has an address that nobody has shown, gets nothing, also
 * of what happened before.
 */
export const ownerNotifications: Writer = async (tx, mail, { publicUrl }) => {
  const { organisation_id, receiver_id } = mail;
  const owner = await activeMember(tx, organisation_id, receiver_id);
  if (owner === undefined || owner.proven_by === null) return null;
  const { notifications, more } = await gather(tx, mail);
  const owned = await ownedProjects(tx, mail, notifications);
  const shown = notifications.filter(({ data }) => owned.has(data.project.id));
  const [first, ...others] = shown;
  if (first === undefined) return null;
  const { headline, project } = messageOf(first);
  const all = shown.length + more;
  return {
    to: owner.email,
    subject: others.length + more === 0 ? `Postern: ${headline} in ${project}` : `Postern: ${all} notifications`,
    text: [
      linesOf(shown, more).join('\n'),
      `More: ${publicUrl}`,
      `You get this as the owner of a group of projects in the organisation ${named(owner.organisation)}. An admin can name another owner.`,
    ].join('\n\n'),
  };
};

/** Takes what waits for the same owner into this mail, and keeps it there: an attempt that fails loses none of it. */
async function gather(tx: Transaction, { organisation_id, id, receiver_id, payload: own }: DueMail) {
  const { rows } = await sql<{ payload: unknown }>`
    delete from webhook_deliveries where organisation_id = ${organisation_id} and id in (
      select id from webhook_deliveries
      where organisation_id = ${organisation_id} and member_id = ${receiver_id} and event = ${ownerEvent}
        and status = 'queued' and attempts = 0
      order by created_at limit ${maxGathered}
      for update skip locked
    )
    returning payload`.execute(tx);
  const parts = [own, ...rows.map((row) => row.payload)].map((each) => payload.parse(each));
  const found = parts.flatMap((part) => part.notifications).sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const kept = found.slice(0, maxLines);
  const more = parts.reduce((sum, part) => sum + part.more, found.length - kept.length);
  if (rows.length > 0) {
    await tx
      .updateTable('webhook_deliveries')
      .set({ payload: JSON.stringify(gathered(kept, more)) })
      .where(byId(organisation_id, id))
      .execute();
  }
  return { notifications: kept, more };
}

/**
 * Finds the projects of notifications that are in a group of the receiver's, or in a group that is in one, and that the
 * receiver may read.
 */
async function ownedProjects(
  tx: Transaction,
  { organisation_id, receiver_id }: DueMail,
  notifications: readonly Notification[],
): Promise<ReadonlySet<string>> {
  const ids = notifications.map(({ data }) => data.project.id);
  const { rows } = await sql<{ id: string }>`
    select project.id
    from projects as project
    join project_groups as held on held.organisation_id = project.organisation_id and held.id = project.group_id
    left join project_groups as outer_group
      on outer_group.organisation_id = project.organisation_id and outer_group.id = held.parent_id
    where project.organisation_id = ${organisation_id} and project.id = any (${ids}::text[])
      and ${receiver_id} in (held.owner_id, outer_group.owner_id)
      and exists (
        select from members as owner
        left join group_members as given on given.organisation_id = owner.organisation_id and given.member_id = owner.id
        where owner.organisation_id = ${organisation_id} and owner.id = ${receiver_id}
          and (owner.role <> 'none' or given.group_id in (held.id, held.parent_id))
      )`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

function linesOf(notifications: readonly Notification[], more: number): string[] {
  const lines: string[] = [];
  let left = more;
  for (const each of notifications) {
    const { headline, project, lines: details } = messageOf(each);
    const next = [`${project}: ${headline}`, ...details.map((line) => `  ${line}`)];
    if (lines.length + next.length <= maxLines) lines.push(...next);
    else left += 1;
  }
  return left === 0 ? lines : [...lines, `and ${left} more notification${left === 1 ? '' : 's'}`];
}
