import { sql } from 'kysely';
import type { WebhookKind } from '../../procedures/webhooks.js';
import type { Transaction } from '../db/database.js';
import { linkEvents } from '../events/mail-events.js';

interface Due {
  readonly organisation_id: string;
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
  /** Id of the webhook, the member or the invite that it goes to. */
  readonly receiver_id: string;
  /** Host and port of the receiver. */
  readonly origin: string;
  /** This attempt included. */
  readonly attempts: number;
  readonly created_at: Date;
}

/** A notification that is due, with all that an attempt needs. Address and secret are sealed. */
export interface DueNotification extends Due {
  readonly webhook: {
    readonly kind: WebhookKind;
    readonly url: string;
    readonly secret: string | null;
    readonly enabled: boolean;
  };
}

/** A mail that is due. */
export interface DueMail extends Due {
  readonly webhook: null;
}

export type DueDelivery = DueNotification | DueMail;

/** Where all mails go, as an origin: no webhook has a host without a name's letters before the colon. */
const mailOrigin = 'mail:';

/** Length of a claim, far above an attempt's time limit. If the process dies, the delivery is due again after it. */
const leaseMs = 60_000;

export interface Shares {
  /** `awaited`: notifications of `webhooks.test`, and mails with a link, for which somebody waits. */
  readonly of: 'events' | 'awaited';
  readonly perOrganisation: number;
  readonly perOrigin: number;
  /** Attempts in all. */
  readonly max: number;
  /** Without a mail server, links wait for an instance that has one. */
  readonly canMail: boolean;
}

/** An attempt that is under way. */
export type UnderWay = Pick<DueDelivery, 'organisation_id' | 'receiver_id' | 'origin'>;

/** Receivers that get no attempt at present. */
type Paused = readonly { readonly organisationId: string; readonly origin: string }[];

/**
 * Claims deliveries that are due, within the shares: organisations take turns, and of each the oldest is first. At most one to each
 * receiver: one that hangs delays only itself. Two processes never claim the same delivery.
 */
export async function claimDue(
  tx: Transaction,
  now: Date,
  { of, perOrganisation, perOrigin, max, canMail }: Shares,
  underWay: readonly UnderWay[],
  paused: Paused,
): Promise<DueDelivery[]> {
  const column = (values: readonly string[]) => sql`${[...values]}::text[]`;
  const { rows } = await sql<DueDelivery>`
    with running as (
      select * from unnest(
        ${column(underWay.map((each) => each.organisation_id))}, ${column(underWay.map((each) => each.receiver_id))},
        ${column(underWay.map((each) => each.origin))}
      ) as running (organisation_id, receiver_id, origin)
    ), waiting as (
      select delivery.organisation_id, delivery.id, delivery.next_attempt_at,
        coalesce(delivery.webhook_id, delivery.member_id, delivery.invite_id) as receiver_id,
        coalesce(webhook.origin, ${mailOrigin}) as origin
      from webhook_deliveries as delivery
      left join webhooks as webhook on webhook.organisation_id = delivery.organisation_id and webhook.id = delivery.webhook_id
      where delivery.next_attempt_at <= ${now} and (delivery.event = any (${column(['test', ...linkEvents])})) = ${of === 'awaited'}
        and (${canMail} or delivery.event <> all (${column(linkEvents)}))
    ), due as (
      select distinct on (organisation_id, receiver_id) *
      from waiting
      where receiver_id not in (select receiver_id from running)
        and (organisation_id, origin) not in (
          select * from unnest(${column(paused.map((each) => each.organisationId))}, ${column(paused.map((each) => each.origin))})
        )
      order by organisation_id, receiver_id, next_attempt_at, id
    ), placed as (
      select *,
        row_number() over (partition by organisation_id order by next_attempt_at, id)
          + (select count(*) from running where running.organisation_id = due.organisation_id) as place
      from due
    ), shared as (
      select *,
        row_number() over (partition by origin order by place, next_attempt_at, id)
          + (select count(*) from running where running.origin = placed.origin) as place_at_origin
      from placed where place <= ${perOrganisation}
    ), taken as (
      select delivery.organisation_id, delivery.id, shared.receiver_id, shared.origin
      from webhook_deliveries as delivery join shared using (organisation_id, id)
      where delivery.next_attempt_at <= ${now} and shared.place_at_origin <= ${perOrigin}
      order by shared.place, delivery.next_attempt_at
      limit ${Math.max(0, max - underWay.length)}
      for update of delivery skip locked
    )
    update webhook_deliveries as delivery
    set attempts = delivery.attempts + 1, attempted_at = ${now}, next_attempt_at = ${new Date(now.getTime() + leaseMs)}
    from taken
    left join webhooks as webhook on webhook.organisation_id = taken.organisation_id and webhook.id = taken.receiver_id
    where delivery.organisation_id = taken.organisation_id and delivery.id = taken.id
    returning delivery.organisation_id, delivery.id, delivery.event, delivery.payload, delivery.attempts, delivery.created_at,
      taken.receiver_id, taken.origin, case when webhook.id is not null then jsonb_build_object(
        'kind', webhook.kind, 'url', webhook.url, 'secret', webhook.secret, 'enabled', webhook.enabled
      ) end as webhook`.execute(tx);
  return rows;
}

/** Deliveries that one call of `pruneLog` deletes at most. */
const pruneBatchSize = 5_000;

const retentionMs = 30 * 24 * 60 * 60 * 1_000;

/** Deletes finished deliveries that are older than 30 days; answers how many. */
export async function pruneLog(tx: Transaction, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries
    where (organisation_id, id) in (
      select organisation_id, id from webhook_deliveries
      where created_at < ${new Date(now.getTime() - retentionMs)} and next_attempt_at is null
      order by created_at
      limit ${pruneBatchSize}
    )`.execute(tx);
  return Number(numAffectedRows);
}
