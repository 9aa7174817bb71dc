import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { type LinkEvent, linkEvents } from '../events/mail-events.js';
import { ApiError } from '../http/api-error.js';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

/** Links that an organisation sends within an hour, and within a day to one address. Nobody floods strangers with a server's mail. */
const maxAnHour = 50;
const maxToOneADay = 5;

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
  const since = (ms: number) => new Date(now.getTime() - ms);
  const { rows } = await sql<{ all: number; to_one: number }>`
    select (count(*) filter (where mail.created_at > ${since(hourMs)}))::int as all,
      (count(*) filter (where coalesce(member.email, invite.email) = ${email}))::int as to_one
    from webhook_deliveries as mail
    left join members as member on member.organisation_id = mail.organisation_id and member.id = mail.member_id
    left join invites as invite on invite.organisation_id = mail.organisation_id and invite.id = mail.invite_id
    where mail.organisation_id = ${organisationId} and mail.webhook_id is null
      and mail.created_at > ${since(dayMs)} and mail.event = any (${[...linkEvents]}::text[])`.execute(tx);
  const [{ all, to_one } = { all: 0, to_one: 0 }] = rows;
  if (to_one >= maxToOneADay) throw tooMany(`to one address, ${maxToOneADay} links by mail within a day`, dayMs);
  if (all >= maxAnHour) throw tooMany(`${maxAnHour} links by mail within an hour`, hourMs);
}

function tooMany(what: string, windowMs: number): ApiError {
  return new ApiError('rate_limited', {
    detail: `an organisation sends ${what}`,
    retryAfterSeconds: windowMs / 1_000,
  });
}
