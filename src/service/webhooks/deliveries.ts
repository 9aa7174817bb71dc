import type { Logger } from 'pino';
import type { Agent } from 'undici';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import type { AllowedHosts } from './allowed-hosts.js';
import { claimDue, type DueDelivery, pruneLog } from './claim.js';
import { guardedAgent } from './guarded-agent.js';
import { type Sent, send } from './send.js';
import { settle } from './settle.js';

interface DeliveryOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly allowedHosts: AllowedHosts;
  /** How often the outbox is looked at. */
  readonly intervalMs?: number;
  /** From the beginning of an attempt to the receiver's answer. */
  readonly timeoutMs?: number;
}

/** Requests under way at once. */
const mostAtOnce = 8;

const hourMs = 60 * 60 * 1_000;

/** How long a stop waits for receivers. */
const graceMs = 2_000;

/**
 * Sends what the outbox holds, for as long as the service runs; a notification arrives at least once, under one id. No
 * transaction is open while a receiver is waited for. `stop` waits a little for the attempts that are under way; what it
 * then breaks off is made again by whoever finds its lease over.
 */
export function startDeliveries(options: DeliveryOptions): { readonly stop: () => Promise<void> } {
  const { database, logger, intervalMs = 1_000, timeoutMs = 10_000 } = options;
  const agent = guardedAgent(options.allowedHosts, timeoutMs);
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let prunedAt = 0;
  let stopped = false;

  async function round(): Promise<void> {
    const now = new Date();
    const free = mostAtOnce - underWay.size;
    if (free > 0) {
      const due = await database.system((tx) => claimDue(tx, now, free, [...underWay.keys()]));
      for (const delivery of due) {
        const attempt = deliver(database, agent, delivery, timeoutMs, stopping.signal).catch(report);
        underWay.set(delivery.webhook_id, attempt);
        // What comes next for this webhook need not wait for the clock.
        void attempt.finally(() => underWay.delete(delivery.webhook_id)).then(() => schedule(0));
      }
    }
    if (now.getTime() - prunedAt > hourMs) {
      await database.system((tx) => pruneLog(tx, now));
      prunedAt = now.getTime();
    }
  }

  const report = (error: unknown) => logger.error({ failure: describeFailure(error) }, 'webhooks could not be served');

  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  function schedule(delayMs: number): void {
    if (stopped || (running !== undefined && delayMs === 0)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = round()
        .catch(report)
        .finally(() => {
          running = undefined;
          schedule(intervalMs);
        });
    }, delayMs).unref();
  }
  schedule(0);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
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

/** A webhook that is switched off takes test notifications alone. What was queued just before is not sent. */
async function attempt(delivery: DueDelivery, agent: Agent, timeoutMs: number, stopping: AbortSignal): Promise<Sent> {
  if (!delivery.enabled && delivery.event !== 'test') return { outcome: 'gone', error: 'the webhook was switched off' };
  return send(delivery, agent, timeoutMs, stopping);
}
