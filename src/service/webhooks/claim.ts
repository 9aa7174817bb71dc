import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { Outgoing } from './send.js';

/** A delivery whose turn it is, and what is sent with it. */
export interface DueDelivery extends Outgoing {
  readonly organisation_id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly enabled: boolean;
  /** This attempt counted in. */
  readonly attempts: number;
  readonly created_at: Date;
}

/** How long a claim lasts: well beyond an attempt's time limit. If its process dies, the delivery is due again then. */
const leaseMs = 60_000;

/**
 * Claims deliveries that are due, the longest due first and at most one of a webhook, so that a receiver that hangs holds up
 * nobody else's. `busy` names webhooks that have one under way. Another process does not get the same ones.
 */
export async function claimDue(
  tx: Transaction,
  now: Date,
  most: number,
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
      limit ${most}
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

/** How many finished deliveries one round of pruning takes away at most. */
const prunedAtOnce = 5_000;

/** How long the log is kept. */
const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** Takes deliveries out of the log that are over and old; answers how many. */
export async function pruneLog(tx: Transaction, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries
    where (organisation_id, id) in (
      select organisation_id, id from webhook_deliveries
      where created_at < ${new Date(now.getTime() - keptMs)} and next_attempt_at is null
      order by created_at
      limit ${prunedAtOnce}
    )`.execute(tx);
  return Number(numAffectedRows);
}
