import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { type LinkEvent, linkEvents } from '../events/mail-events.js';
import { ApiError } from '../http/api-error.js';

const hourMs = 60 * 60 * 1_000;

/** Links that an organisation sends within an hour, in all and to one address. Nobody floods strangers with a server's mail. */
const maxAnHour = { all: 50, toOne: 5 };

interface Link {
  readonly organisationId: string;
  readonly event: LinkEvent;
  readonly to: { readonly member_id: string } | { readonly invite_id: string };
  readonly email: string;
  /** What the mail is written from, beside its receiver. */
  readonly payload?: Readonly<Record<string, string>>;
  readonly now: Date;
}

/**
 * Queues a mail with a link, in the transaction of what it is about. Its token is made when it is sent: before that, nobody has one.
 *
 * @throws ApiError `rate_limited`
 */
export async function queueLink(
  tx: Transaction,
  { organisationId, event, to, email, payload = {}, now }: Link,
): Promise<void> {
  await requireFewer(tx, organisationId, email, now);
  await tx
    .insertInto('webhook_deliveries')
    .values({
      organisation_id: organisationId,
      id: newId('msg'),
      ...{ webhook_id: null, ...to, event, payload: JSON.stringify(payload), status: 'queued' },
      ...{ created_at: now, next_attempt_at: now },
    })
    .execute();
}

/** The organisation's row is locked, so that of requests at the same time each sees the mails of those before it. */
async function requireFewer(tx: Transaction, organisationId: string, email: string, now: Date): Promise<void> {
  await tx.selectFrom('organisations').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ all: number; to_one: number }>`
    select count(*)::int as all, (count(*) filter (where coalesce(member.email, invite.email) = ${email}))::int as to_one
    from webhook_deliveries as mail
    left join members as member on member.organisation_id = mail.organisation_id and member.id = mail.member_id
    left join invites as invite on invite.organisation_id = mail.organisation_id and invite.id = mail.invite_id
    where mail.organisation_id = ${organisationId} and mail.webhook_id is null
      and mail.created_at > ${new Date(now.getTime() - hourMs)} and mail.event = any (${[...linkEvents]}::text[])`.execute(
    tx,
  );
  const [sent] = rows;
  if (sent === undefined || (sent.all < maxAnHour.all && sent.to_one < maxAnHour.toOne)) return;
  throw new ApiError('rate_limited', {
    detail: `an organisation sends ${maxAnHour.all} links by mail within an hour, and ${maxAnHour.toOne} to one address`,
    retryAfterSeconds: hourMs / 1_000,
  });
}
