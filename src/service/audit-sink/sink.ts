import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type AuditRow, entryOf } from '../audit/entry.js';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import type { Job } from '../jobs/job.js';
import { beginQueue, endQueue, nextEntries, release, settle } from './outbox.js';
import type { Receiver } from './receivers.js';

interface SinkOptions {
  readonly database: Database;
  readonly receiver: Receiver;
  readonly logger: Logger;
  /** How often the queue is read. */
  readonly intervalMs?: number;
  /** After the first attempt that fails; twice as long after each further one, up to a minute. */
  readonly firstWaitMs?: number;
}

const maxWaitMs = 60_000;

/** Bytes of one batch. Common proxies take a megabyte. */
const maxBatchBytes = 512 * 1024;

/** How long a stop waits for the receiver. */
const graceMs = 2_000;

/**
 * Sends each entry of the audit log, of all organisations, to the operator's sink once it is committed: at least once, and by one
 * instance at a time, which claims the queue with each batch. It goes on from the queue in the database, so that neither a restart nor
 * a receiver that is away loses any, and no request ever waits for it. Answers when entries are queued.
 */
export async function auditSinkJob(options: SinkOptions): Promise<Job> {
  const { database, receiver, logger, intervalMs = 1_000, firstWaitMs = 1_000 } = options;
  const holder = randomUUID();
  const ending = new AbortController();
  let failures = 0;
  let waitUntil = 0;

  /** Whether the receiver has taken what comes next. */
  async function sendNext(): Promise<boolean> {
    const batch = firstOf(await database.system((tx) => nextEntries(tx, holder)));
    if (batch.entries.length === 0) return false;
    const sent = await receiver.send(batch.lines, ending.signal);
    if (!sent.taken) {
      const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** failures) * (0.8 + 0.4 * Math.random());
      waitUntil = Date.now() + Math.max(waitMs, (sent.retryAfterSeconds ?? 0) * 1_000);
      failures += 1;
      logger.warn({ reason: sent.reason, attempts: failures }, 'the audit sink takes nothing: entries wait');
      return false;
    }
    if (failures > 0) logger.info({ attempts: failures }, 'the audit sink takes entries again');
    failures = 0;
    await database.system((tx) => settle(tx, batch.entries));
    return true;
  }

  async function sendAll(stopping: AbortSignal): Promise<void> {
    if (Date.now() < waitUntil) return;
    while (!stopping.aborted && (await sendNext()));
  }

  const failure = 'the audit sink could not be served';
  const report = (error: unknown) => {
    if (!ending.signal.aborted) logger.error({ failure: describeFailure(error) }, failure);
  };
  let grace: NodeJS.Timeout | undefined;
  const endSoon = () => {
    grace ??= setTimeout(() => ending.abort(), graceMs);
  };
  await database.system((tx) => beginQueue(tx, holder));
  return {
    ...{ name: 'audit-sink', everyMs: intervalMs, firstMs: 0, shared: 'every_instance', failure },
    async run({ stopping }) {
      stopping.addEventListener('abort', endSoon, { once: true });
      await sendAll(stopping);
      stopping.removeEventListener('abort', endSoon);
    },
    async close() {
      endSoon();
      // What was written since the last round; a receiver that is away gets it after the next start.
      if (failures === 0) await sendNext().catch(report);
      clearTimeout(grace);
      await database.system((tx) => release(tx, holder)).catch(report);
      await receiver.close();
    },
  };
}

/** Nothing is queued from now on; what waits is sent when there is a sink again. */
export function endAuditSink(database: Database): Promise<void> {
  return database.system(endQueue);
}

interface Batch {
  readonly entries: readonly AuditRow[];
  /** JSON, a line each. */
  readonly lines: string;
}

/** As many of the first ones as make a batch, and at least one. */
function firstOf(rows: readonly AuditRow[]): Batch {
  const lines: string[] = [];
  let size = 0;
  for (const row of rows) {
    const line = `${JSON.stringify({ organisation_id: row.organisation_id, ...entryOf(row) })}\n`;
    size += Buffer.byteLength(line);
    if (lines.length > 0 && size > maxBatchBytes) break;
    lines.push(line);
  }
  return { entries: rows.slice(0, lines.length), lines: lines.join('') };
}
