import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';

export const loadOrder = z.object({ url: z.string(), key: z.string() });

const flood = z.object({
  done: z.int(),
  /** Answered without some of its parts. */
  partial: z.int(),
  /** Refused with when to come again. */
  refused: z.int(),
  /** Refused without that. */
  bare: z.int(),
  failed: z.int(),
  /** Calls a second, from the first call to the last answer. */
  donePerSecond: z.number(),
  /** The median. */
  refusedAfterMs: z.number(),
});
/** What became of calls that were sent at a rate. */
export type Flood = z.infer<typeof flood>;

const load = z.object({ capacity: z.number(), flood });
/** `capacity` is in calls a second. The flood was twice that. */
export type Load = z.infer<typeof load>;

/** Finds the capacity of a server and asks for twice that. */
export async function overload(order: z.infer<typeof loadOrder>): Promise<Load> {
  const worker = new Worker(new URL('./load-thread.mjs', import.meta.url), { workerData: order });
  const [message]: unknown[] = await once(worker, 'message');
  await worker.terminate();
  return load.parse(message);
}
