import { once } from 'node:events';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Procedure } from '../../procedures/define.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import { actorOf, type Caller, tenantOf } from '../auth/caller.js';
import type { Database } from '../db/database.js';
import { logFailure } from '../http/problem-answer.js';
import { requestIdOf } from '../http/request-id.js';
import type { LinesContext } from './handler.js';
import { encode, type Read } from './perform.js';

/** How long a client may take none of what it is sent, in milliseconds. */
const maxPauseMs = 60_000;

/** The caller whose lines are sent, and the database that they are read from. */
interface Asked {
  readonly database: Database;
  readonly caller: Caller;
  readonly from: RequestOrigin;
}

interface Receiver {
  readonly res: Response;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  readonly logger: Logger;
}

/**
 * Sends lines as fast as the client takes them: the handler reads the next batch when the last one has gone out. An error before the
 * first is thrown; after it the connection is broken off, so that nobody takes the file for complete.
 */
export async function sendLines(
  procedure: Procedure,
  handle: Read['handle'],
  { database, caller, from }: Asked,
  { res, left, logger }: Receiver,
): Promise<void> {
  const { organisationId } = caller;
  const origin = { organisationId, actor: actorOf(caller), ...from };
  const waiting = { maxWaitMs: database.requestWaitMs };
  const ctx: LinesContext<unknown> = {
    organisationId,
    read: (work) => database.read(tenantOf(caller), work, waiting),
    audit: (event) => database.tenant(tenantOf(caller), (tx) => recordAudit(tx, origin, event), waiting),
    async send(batch) {
      const text = batch.map((line) => `${JSON.stringify(encode(procedure, line))}\n`).join('');
      if (res.write(text)) return;
      await once(res, 'drain', { signal: AbortSignal.any([left, AbortSignal.timeout(maxPauseMs)]) });
    },
  };
  res.type('application/x-ndjson');
  try {
    await handle(ctx);
    res.end();
  } catch (error) {
    if (!res.headersSent) throw error;
    res.destroy();
    if (!left.aborted) logFailure(logger, error, requestIdOf(res));
  }
}
