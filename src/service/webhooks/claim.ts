import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { Outgoing } from './send.js';

/** A delivery that is due, with all that an attempt needs. */
export interface DueDelivery extends Omit<Outgoing, 'secret'> {
  /** Address and secret are sealed. */
  readonly secret: string | null;
  readonly organisation_id: string;
  readonly webhook_id: string;
  readonly event: string;
  /** Host and port of the receiver. */
  readonly origin: string;
  readonly enabled: boolean;
  /** This attempt included. */
  readonly attempts: number;
  readonly created_at: Date;
}

/** Length of a claim, far above an attempt's time limit. If the process dies, the delivery is due again after it. */
const leaseMs = 60_000;

export interface Shares {
  /** `tests`: notifications of `webhooks.test`, for which somebody waits. */
  readonly of: 'events' | 'tests';
  readonly perOrganisation: number;
  readonly perOrigin: number;
  /** Attempts in all. */
  readonly max: number;
}

/** An attempt that is under way. */
export type UnderWay = Pick<DueDelivery, 'organisation_id' | 'webhook_id' | 'origin'>;

/** Receivers that get no attempt at present. */
type Paused = readonly { readonly organisationId: string; readonly origin: string }[];

/**
 * Claims deliveries that are due, within the shares: organisations take turns, and of each the oldest is first. At most one of each
 * webhook: a receiver that hangs delays only itself. Two processes never claim the same delivery.
 */
export async function claimDue(
  tx: Transaction,
  now: Date,
  { of, perOrganisation, perOrigin, max }: Shares,
  underWay: readonly UnderWay[],
  paused: Paused,
): Promise<DueDelivery[]> {
  const column = (values: readonly string[]) => sql`${[...values]}::text[]`;
  const { rows } = await sql<DueDelivery>`
    with running as (
      select * from unnest(
        ${column(underWay.map((each) => each.organisation_id))}, ${column(underWay.map((each) => each.webhook_id))},
        ${column(underWay.map((each) => each.origin))}
      ) as running (organisation_id, webhook_id, origin)
    ), due as (
      select distinct on (delivery.organisation_id, delivery.webhook_id)
        delivery.organisation_id, delivery.id, delivery.next_attempt_at, webhook.origin as origin
      from webhook_deliveries as delivery
      join webhooks as webhook on webhook.organisation_id = delivery.organisation_id and webhook.id = delivery.webhook_id
      where delivery.next_attempt_at <= ${now} and (delivery.event = 'test') = ${of === 'tests'}
        and delivery.webhook_id not in (select webhook_id from running)
        and (delivery.organisation_id, webhook.origin) not in (
          select * from unnest(${column(paused.map((each) => each.organisationId))}, ${column(paused.map((each) => each.origin))})
        )
      order by delivery.organisation_id, delivery.webhook_id, delivery.next_attempt_at, delivery.id
    ), placed as (
      select organisation_id, id, next_attempt_at, origin,
        row_number() over (partition by organisation_id order by next_attempt_at, id)
          + (select count(*) from running where running.organisation_id = due.organisation_id) as place
      from due
    ), shared as (
      select organisation_id, id, place,
        row_number() over (partition by origin order by place, next_attempt_at, id)
          + (select count(*) from running where running.origin = placed.origin) as place_at_origin
      from placed where place <= ${perOrganisation}
    ), taken as (
      select delivery.organisation_id, delivery.id
      from webhook_deliveries as delivery join shared using (organisation_id, id)
      where delivery.next_attempt_at <= ${now} and shared.place_at_origin <= ${perOrigin}
      order by shared.place, delivery.next_attempt_at
      limit ${Math.max(0, max - underWay.length)}
      for update of delivery skip locked
    )
    update webhook_deliveries as delivery
    set attempts = delivery.attempts + 1, attempted_at = ${now}, next_attempt_at = ${new Date(now.getTime() + leaseMs)}
    from taken, webhooks as webhook
    where delivery.organisation_id = taken.organisation_id and delivery.id = taken.id
      and webhook.organisation_id = delivery.organisation_id and webhook.id = delivery.webhook_id
    returning delivery.organisation_id, delivery.id, delivery.webhook_id, delivery.event, delivery.payload,
      delivery.attempts, delivery.created_at, webhook.kind, webhook.url, webhook.secret, webhook.enabled,
      webhook.origin`.execute(tx);
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
