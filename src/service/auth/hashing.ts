import { availableParallelism } from 'node:os';
import { FairQueue } from '../../shared/limits/fair-queue.js';
import type { FairQueueOptions } from '../../shared/limits/queue-key.js';

/** With two processors, two hashes at once would leave none for the requests of others. */
const maxRunning = availableParallelism() > 2 ? 2 : 1;

/**
 * Anybody can cause the work of hashing passwords without a credential. A network that sends much neither delays others nor fills
 * the queue for them.
 */
export const hashingLimits = {
  ...{ name: 'passwords', refusal: 'too many passwords are being checked', shares: 'pieces', displaces: true },
  ...{ maxRunning, maxWaiting: 64, maxWaitingPerKey: 32, maxWaitMs: 5_000, retryAfterSeconds: [2, 2] },
} as const satisfies FairQueueOptions;

const queue = new FairQueue(hashingLimits);

/**
 * Runs work that hashes or checks a password, two at a time in this process, or one where there are two processors: each takes
 * 19 MiB and a processor for tens of milliseconds. Throws `Refusal` (`busy`) where the queue is too long.
 *
 * @param network of the caller
 */
export function inHashingQueue<T>(network: string, work: () => Promise<T>): Promise<T> {
  return queue.run(network, work);
}
