import { recordAudit } from '../audit/record-audit.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import type { DueDelivery } from './claim.js';
import { nextAttempt } from './retry-schedule.js';
import type { Sent } from './send.js';

/** Records the outcome of an attempt, and when the next one is due. A webhook whose receiver is gone is switched off. */
export async function settle(tx: Transaction, delivery: DueDelivery, sent: Sent, now: Date): Promise<void> {
  if (sent.outcome === 'delivered') {
    await update(tx, delivery, { status: 'delivered', next_attempt_at: null, delivered_at: now, last_error: null });
    return;
  }
  // Lock order: the webhook before its deliveries, as in an update of the webhook.
  if (sent.outcome === 'gone' && delivery.webhook !== null) await switchOff(tx, delivery);
  const next = sent.outcome === 'gone' ? null : retryOf(delivery, sent.retryAfterSeconds, now);
  await update(tx, delivery, {
    status: next === null ? 'failed' : 'retrying',
    next_attempt_at: next,
    last_error: sent.error,
  });
}

function retryOf({ attempts, created_at }: DueDelivery, retryAfterSeconds: number | null, now: Date): Date | null {
  return nextAttempt({ attempts, createdAt: created_at, now, retryAfterSeconds, random: Math.random() });
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
    .where(byId(organisation_id, id))
    // If the lease ran out, another process has claimed the delivery, and the outcome of its attempt counts.
    .where('attempts', '=', attempts)
    .execute();
}

/** Marks the waiting deliveries of a webhook that is switched off as failed. */
export async function failWaiting(tx: Transaction, organisationId: string, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, last_error: 'the webhook was switched off' })
    .where('organisation_id', '=', organisationId)
    .where('webhook_id', '=', webhookId)
    .where('next_attempt_at', 'is not', null)
    .execute();
}

async function switchOff(tx: Transaction, { organisation_id, receiver_id: webhook_id }: DueDelivery): Promise<void> {
  const webhook = await tx
    .updateTable('webhooks')
    .set((row) => ({ enabled: false, revision: row('revision', '+', 1) }))
    .where(byId(organisation_id, webhook_id))
    .where('enabled', '=', true)
    .returning('project_id')
    .executeTakeFirst();
  if (webhook === undefined) return;
  await failWaiting(tx, organisation_id, webhook_id);
  const actor = { kind: 'system', id: 'webhook-deliveries', name: 'Webhook deliveries' } as const;
  await recordAudit(
    tx,
    { organisationId: organisation_id, projectId: webhook.project_id ?? undefined, actor, ip: null, requestId: null },
    {
      action: 'webhook.switch_off',
      target: { kind: 'webhook', id: webhook_id },
      before: { enabled: true },
      after: { enabled: false },
    },
  );
}
