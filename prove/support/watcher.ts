import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';

export const watchOrder = z.object({ url: z.string(), key: z.string() });

/** `late`: the gateway or the caller gave up waiting. `busy`: refused, with when to come again. */
const watchedCall = z.object({ ms: z.number(), outcome: z.enum(['good', 'late', 'busy', 'failed']), status: z.int() });
export type WatchedCall = z.infer<typeof watchedCall>;

const watchedCalls = z.object({
  org: z.array(watchedCall),
  mcp: z.array(watchedCall),
  health: z.array(watchedCall),
});
/** Calls of the polite caller by what it asked, in the order in which they ended. */
export type WatchedCalls = z.infer<typeof watchedCalls>;

export interface Watcher {
  /** Stops asking, waits for the answers that are still out, and gives all of them. */
  readonly stop: () => Promise<WatchedCalls>;
}

/** Starts the polite caller. */
export async function startWatcher(order: z.infer<typeof watchOrder>): Promise<Watcher> {
  const worker = new Worker(new URL('./watch-thread.mjs', import.meta.url), { workerData: order });
  // Its first message says that it has begun.
  await once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [message]: unknown[] = await once(worker, 'message');
      await worker.terminate();
      return watchedCalls.parse(message);
    },
  };
}

/** Times in milliseconds of the calls of one kind. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function timesOf(calls: readonly WatchedCall[]): Times {
  const sorted = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function timesText({ p50, p99, max }: Times): string {
  return [p50, p99, max].map((ms) => Math.round(ms)).join('/');
}
