import type { Logger } from 'pino';
import type { Agent } from 'undici';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import { repeat } from '../jobs/repeat.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { guardedAgent } from '../outbound/guarded-agent.js';
import { claimDue, type DueDelivery, pruneLog } from './claim.js';
import { type Sent, send } from './send.js';
import { settle } from './settle.js';

interface DeliveryOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly allowedHosts: AllowedHosts;
  /** How often the outbox is read. */
  readonly intervalMs?: number;
  /** From the beginning of an attempt to the receiver's answer. */
  readonly timeoutMs?: number;
}

const maxConcurrentAttempts = 8;

const pruneIntervalMs = 60 * 60 * 1_000;

/** How long a stop waits for receivers. */
const graceMs = 2_000;

/**
 * Sends what is in the outbox, for as long as the service runs. Each notification arrives at least once, with one id. No
 * transaction is open during an attempt. `stop` waits a little for the attempts under way. Those that it then aborts are
 * repeated when their lease is over.
 */
export function startDeliveries(options: DeliveryOptions): { readonly stop: () => Promise<void> } {
  const { database, logger, intervalMs = 1_000, timeoutMs = 10_000 } = options;
  const agent = guardedAgent(options.allowedHosts, timeoutMs);
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let prunedAt = 0;

  async function deliverDue(): Promise<void> {
    const now = new Date();
    const free = maxConcurrentAttempts - underWay.size;
    if (free > 0) {
      const due = await database.system((tx) => claimDue(tx, now, free, [...underWay.keys()]));
      for (const delivery of due) {
        const attempt = deliver(database, agent, delivery, timeoutMs, stopping.signal).catch(report);
        underWay.set(delivery.webhook_id, attempt);
        // The webhook's next delivery need not wait for the interval.
        void attempt.finally(() => underWay.delete(delivery.webhook_id)).then(rounds.wake);
      }
    }
    if (now.getTime() - prunedAt > pruneIntervalMs) {
      await database.system((tx) => pruneLog(tx, now));
      prunedAt = now.getTime();
    }
  }

  const report = (error: unknown) => logger.error({ failure: describeFailure(error) }, 'webhooks could not be served');
  const rounds = repeat(intervalMs, deliverDue, report);
  rounds.wake();

  return {
    async stop() {
      await rounds.stop();
      const grace = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(underWay.values());
      clearTimeout(grace);
      await agent.close();
    },
  };
}

async function deliver(
  database: Database,
  agent: Agent,
  delivery: DueDelivery,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<void> {
  const sent = await attempt(delivery, agent, timeoutMs, stopping);
  if (sent.outcome === 'failed' && stopping.aborted) return;
  await database.system((tx) => settle(tx, delivery, sent, new Date()));
}

/** A webhook that is switched off gets test notifications only, not what was queued just before. */
async function attempt(delivery: DueDelivery, agent: Agent, timeoutMs: number, stopping: AbortSignal): Promise<Sent> {
  if (!delivery.enabled && delivery.event !== 'test') return { outcome: 'gone', error: 'the webhook was switched off' };
  return send(delivery, agent, timeoutMs, stopping);
}
