import { recordAudit } from '../audit/record-audit.js';
import type { Transaction } from '../db/database.js';
import type { DueDelivery } from './claim.js';
import { nextAttempt } from './retry-schedule.js';
import type { Sent } from './send.js';

/** Writes down what became of an attempt, and when the next one is. A webhook whose receiver is gone is switched off. */
export async function settle(tx: Transaction, delivery: DueDelivery, sent: Sent, now: Date): Promise<void> {
  if (sent.outcome === 'delivered') {
    await update(tx, delivery, { status: 'delivered', next_attempt_at: null, delivered_at: now, last_error: null });
    return;
  }
  // The webhook before its deliveries, as an update of the webhook takes them.
  if (sent.outcome === 'gone') await switchOff(tx, delivery);
  const next = sent.outcome === 'gone' ? null : retryOf(delivery, sent, now);
  await update(tx, delivery, {
    status: next === null ? 'failed' : 'retrying',
    next_attempt_at: next,
    last_error: sent.error,
  });
}

function retryOf(delivery: DueDelivery, sent: Exclude<Sent, { outcome: 'delivered' }>, now: Date): Date | null {
  const askedDelayMs = sent.outcome === 'failed' ? (sent.retryAfterMs ?? 0) : 0;
  return nextAttempt({
    attempts: delivery.attempts,
    createdAt: delivery.created_at,
    now,
    askedDelayMs,
    random: Math.random(),
  });
}

interface Outcome {
  readonly status: 'retrying' | 'delivered' | 'failed';
  readonly next_attempt_at: Date | null;
  readonly delivered_at?: Date;
  readonly last_error: string | null;
}

async function update(
  tx: Transaction,
  { organisation_id, id, attempts }: DueDelivery,
  outcome: Outcome,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set(outcome)
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', id)
    // Another process has taken over where the lease ran out; it is that attempt's word that counts then.
    .where('attempts', '=', attempts)
    .execute();
}

/** Fails what still waits for a webhook that is switched off. */
export async function failWaiting(tx: Transaction, organisationId: string, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, last_error: 'the webhook was switched off' })
    .where('organisation_id', '=', organisationId)
    .where('webhook_id', '=', webhookId)
    .where('next_attempt_at', 'is not', null)
    .execute();
}

async function switchOff(tx: Transaction, { organisation_id, webhook_id }: DueDelivery): Promise<void> {
  const webhook = await tx
    .updateTable('webhooks')
    .set((row) => ({ enabled: false, revision: row('revision', '+', 1) }))
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', webhook_id)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (webhook === undefined) return;
  await failWaiting(tx, organisation_id, webhook_id);
  const actor = { kind: 'system', id: 'webhook-deliveries', name: 'Webhook deliveries' } as const;
  await recordAudit(
    tx,
    { organisationId: organisation_id, actor, ip: null, requestId: null },
    {
      action: 'webhook.switch_off',
      target: { kind: 'webhook', id: webhook_id },
      before: { enabled: true },
      after: { enabled: false },
    },
  );
}
