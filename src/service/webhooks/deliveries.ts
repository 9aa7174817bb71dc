import type { Logger } from 'pino';
import type { Agent } from 'undici';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import { repeat } from '../jobs/repeat.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { guardedAgent } from '../outbound/guarded-agent.js';
import { claimDue, type DueDelivery, pruneLog, type Shares } from './claim.js';
import { HangingReceivers } from './hanging-receivers.js';
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

/**
 * Concurrent attempts. Receivers that hang, all of one organisation or of one origin, leave attempts to the others. Tests
 * never wait for events.
 */
const shares: readonly Shares[] = [
  { of: 'events', max: 32, perOrganisation: 6, perOrigin: 8 },
  { of: 'tests', max: 16, perOrganisation: 3, perOrigin: 8 },
];

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
  const underWay: Readonly<Record<Shares['of'], Map<DueDelivery, Promise<void>>>> = {
    events: new Map(),
    tests: new Map(),
  };
  const hanging = new HangingReceivers();
  let prunedAt = 0;

  async function deliverDue(): Promise<void> {
    const now = new Date();
    for (const share of shares) {
      const running = underWay[share.of];
      if (running.size >= share.max) continue;
      const paused = share.of === 'tests' ? [] : hanging.paused(now);
      const due = await database.system((tx) => claimDue(tx, now, share, [...running.keys()], paused));
      for (const delivery of due) {
        const attempt = deliver(database, agent, hanging, delivery, timeoutMs, stopping.signal).catch(report);
        running.set(delivery, attempt);
        // The webhook's next delivery need not wait for the interval.
        void attempt.finally(() => running.delete(delivery)).then(rounds.wake);
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
      await Promise.all([...underWay.events.values(), ...underWay.tests.values()]);
      clearTimeout(grace);
      await agent.close();
    },
  };
}

async function deliver(
  database: Database,
  agent: Agent,
  hanging: HangingReceivers,
  delivery: DueDelivery,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<void> {
  const sent = await attempt(delivery, agent, timeoutMs, stopping);
  if (sent.outcome === 'failed' && stopping.aborted) return;
  const { organisation_id, origin } = delivery;
  if (sent.outcome === 'failed' && sent.hung) hanging.hung(organisation_id, origin, new Date());
  else hanging.answered(organisation_id, origin);
  await database.system((tx) => settle(tx, delivery, sent, new Date()));
}

/** A webhook that is switched off gets test notifications only, not what was queued just before. */
async function attempt(delivery: DueDelivery, agent: Agent, timeoutMs: number, stopping: AbortSignal): Promise<Sent> {
  if (!delivery.enabled && delivery.event !== 'test') return { outcome: 'gone', error: 'the webhook was switched off' };
  return send(delivery, agent, timeoutMs, stopping);
}
