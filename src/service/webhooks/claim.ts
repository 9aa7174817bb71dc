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
  readonly enabled: boolean;
  /** This attempt included. */
  readonly attempts: number;
  readonly created_at: Date;
}

/** Length of a claim, far above an attempt's time limit. If the process dies, the delivery is due again after it. */
const leaseMs = 60_000;

/**
 * Claims deliveries that are due, the oldest first. At most one of each webhook, and none of the `busy` webhooks: a receiver
 * that hangs delays only itself. Two processes never claim the same delivery.
 */
export async function claimDue(
  tx: Transaction,
  now: Date,
  limit: number,
  busy: readonly string[],
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with due as (
      select distinct on (organisation_id, webhook_id) organisation_id, id
      from webhook_deliveries
      where next_attempt_at <= ${now} and webhook_id <> all (${[...busy]}::text[])
      order by organisation_id, webhook_id, next_attempt_at, id
    ), taken as (
      select delivery.organisation_id, delivery.id
      from webhook_deliveries as delivery join due using (organisation_id, id)
      where delivery.next_attempt_at <= ${now}
      order by delivery.next_attempt_at
      limit ${limit}
      for update of delivery skip locked
    )
    update webhook_deliveries as delivery
    set attempts = delivery.attempts + 1, attempted_at = ${now}, next_attempt_at = ${new Date(now.getTime() + leaseMs)}
    from taken, webhooks as webhook
    where delivery.organisation_id = taken.organisation_id and delivery.id = taken.id
      and webhook.organisation_id = delivery.organisation_id and webhook.id = delivery.webhook_id
    returning delivery.organisation_id, delivery.id, delivery.webhook_id, delivery.event, delivery.payload,
      delivery.attempts, delivery.created_at, webhook.kind, webhook.url, webhook.secret, webhook.enabled`.execute(tx);
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
