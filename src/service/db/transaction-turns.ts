import { FairQueue } from '../../shared/limits/fair-queue.js';
import type { Wait } from '../../shared/limits/queue-key.js';

/**
 * Whose turn a transaction takes. Each lane gets a fair share of the database's time. `background`: the service's own work.
 * `newcomers`: callers that are not known yet.
 */
export type Lane = 'background' | 'health' | 'newcomers' | `organisation:${string}`;

/** Whose transaction is next. */
export interface TransactionTurns {
  /** Waits for a turn. The function that it answers ends the turn. Throws `Refusal` where the line is too long. */
  acquire(lane: Lane, wait: Pick<Wait, 'maxWaitMs' | 'yields'>): Promise<() => void>;
  /** Transactions that run, and that wait for their turn. */
  readonly load: { readonly running: number; readonly waiting: number };
}

/**
 * How long a step of an upload or of the service's own work waits for the next transaction of a call, in milliseconds. A call has
 * several, a few milliseconds apart: else each of them would wait for another step.
 */
const graceMs = 4;

/** The turns of a process in front of its pool, which serves in order of arrival whoever it is. */
export function turnsOfPool(connections: number): FairQueue {
  return new FairQueue({
    maxRunning: connections,
    // Long transactions of one organisation leave some connections to the others.
    maxRunningPerKey: Math.ceil(connections * 0.75),
    graceMs: connections === 1 ? graceMs : 0,
    name: 'transactions',
  });
}
