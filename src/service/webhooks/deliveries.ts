import type { Logger } from 'pino';
import type { Agent } from 'undici';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import type { Job, JobRun } from '../jobs/job.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { guardedAgent } from '../outbound/guarded-agent.js';
import { UnopenableError } from '../secrets/sealed-text.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { claimDue, type DueDelivery, type DueMail, type DueNotification, pruneLog, type Shares } from './claim.js';
import { HangingReceivers } from './hanging-receivers.js';
import { type Sent, send } from './send.js';
import { settle } from './settle.js';
import { openWebhook } from './webhook-row.js';

interface DeliveryOptions {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly allowedHosts: AllowedHosts;
  /** Sends a mail once, and never throws; absent where there is no mail server. */
  readonly mail?: ((mail: DueMail, stopping: AbortSignal) => Promise<Sent>) | undefined;
  /** How often the outbox is read. */
  readonly intervalMs?: number;
  /** From the beginning of an attempt to the receiver's answer. */
  readonly timeoutMs?: number;
  /** Called with the outcome of every attempt, for metrics. */
  readonly onAttempt?: ((outcome: Sent['outcome']) => void) | undefined;
}

/**
 * Concurrent attempts. Receivers that hang, all of one organisation or of one origin, leave attempts to the others. What
 * somebody waits for never waits for events.
 */
const shares: readonly Omit<Shares, 'canMail'>[] = [
  { of: 'events', max: 32, perOrganisation: 6, perOrigin: 8 },
  { of: 'awaited', max: 16, perOrganisation: 3, perOrigin: 8 },
];

const pruneIntervalMs = 60 * 60 * 1_000;

/** How long a stop waits for receivers. */
const graceMs = 2_000;

/**
 * Sends what is in the outbox. Each notification arrives at least once, with one id: instances claim different ones. No transaction is
 * open during an attempt. `close` waits a little for the attempts under way. Those that it then aborts are repeated when their lease
 * is over.
 */
export function deliveriesJob(options: DeliveryOptions): Job {
  const { database, secrets, logger, intervalMs = 1_000, timeoutMs = 10_000 } = options;
  const agent = guardedAgent(options.allowedHosts, timeoutMs);
  const stopping = new AbortController();
  const underWay: Readonly<Record<Shares['of'], Map<DueDelivery, Promise<void>>>> = {
    events: new Map(),
    awaited: new Map(),
  };
  const hanging = new HangingReceivers();
  const canMail = options.mail !== undefined;
  const failure = 'webhooks could not be served';
  let prunedAt = 0;

  async function run({ wake, done }: JobRun): Promise<void> {
    const now = new Date();
    for (const share of shares) {
      const running = underWay[share.of];
      if (running.size >= share.max) continue;
      const paused = share.of === 'awaited' ? [] : hanging.paused(now);
      const due = await database.system((tx) => claimDue(tx, now, { ...share, canMail }, [...running.keys()], paused));
      for (const delivery of due) {
        const { onAttempt, mail } = options;
        const from = { database, secrets, agent, mail, hanging, timeoutMs, stopping: stopping.signal, onAttempt };
        const attempt = deliver(from, delivery).catch((error: unknown) =>
          logger.error({ failure: describeFailure(error) }, failure),
        );
        running.set(delivery, attempt);
        // The webhook's next delivery need not wait for the interval.
        void attempt.finally(() => running.delete(delivery)).then(wake);
      }
      done(due.length);
    }
    if (now.getTime() - prunedAt > pruneIntervalMs) {
      await database.system((tx) => pruneLog(tx, now));
      prunedAt = now.getTime();
    }
  }

  return {
    ...{ name: 'deliveries', everyMs: intervalMs, firstMs: 0, shared: 'every_instance', failure, run },
    async close() {
      const grace = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all([...underWay.events.values(), ...underWay.awaited.values()]);
      clearTimeout(grace);
      await agent.close();
    },
  };
}

interface Delivering extends Pick<DeliveryOptions, 'database' | 'secrets' | 'mail' | 'onAttempt'> {
  readonly agent: Agent;
  readonly hanging: HangingReceivers;
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
}

async function deliver(options: Delivering, delivery: DueDelivery): Promise<void> {
  const sent = await attempt(options, delivery);
  if (sent.outcome === 'failed' && options.stopping.aborted) return;
  options.onAttempt?.(sent.outcome);
  const { organisation_id, origin } = delivery;
  if (sent.outcome === 'failed' && sent.hung) options.hanging.hung(organisation_id, origin, new Date());
  else options.hanging.answered(organisation_id, origin);
  await options.database.system((tx) => settle(tx, delivery, sent, new Date()));
}

function attempt(options: Delivering, delivery: DueDelivery): Promise<Sent> | Sent {
  if (delivery.webhook !== null) return notify(options, delivery);
  return options.mail?.(delivery, options.stopping) ?? { outcome: 'gone', error: 'this server sends no mail' };
}

/** A webhook that is switched off gets test notifications only, not what was queued just before. */
async function notify(
  { secrets, agent, timeoutMs, stopping }: Delivering,
  { id, event, payload, receiver_id, webhook }: DueNotification,
): Promise<Sent> {
  if (!webhook.enabled && event !== 'test') return { outcome: 'gone', error: 'the webhook was switched off' };
  const receiver = openReceiver(secrets, { ...webhook, id: receiver_id });
  if (receiver === null) return { outcome: 'failed', error: unopenable, retryAfterSeconds: null, hung: false };
  return send({ id, payload, kind: webhook.kind, ...receiver }, agent, timeoutMs, stopping);
}

const unopenable = 'the address was encrypted under another key: set it again, or add the webhook anew';

/** Null where they cannot be opened: one such row must not stop the others. */
function openReceiver(secrets: SecretBox, sealed: Parameters<typeof openWebhook>[1]) {
  try {
    const { url, secret } = openWebhook(secrets, sealed);
    return { url, secret };
  } catch (error) {
    if (error instanceof UnopenableError) return null;
    throw error;
  }
}
