import * as z from 'zod';

const connection = z.int();
const bytes = z.instanceof(Uint8Array);

/** Messages from the main thread to the worker. `bytes` belong to one connection's PostgreSQL protocol. */
export const toWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), connection }),
  z.object({ kind: z.literal('bytes'), connection, bytes }),
  z.object({ kind: z.literal('close') }),
]);
export type ToWorker = z.infer<typeof toWorker>;

/** Messages from the worker to the main thread. After `broken` the worker ends. */
export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('bytes'), connection, bytes }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

export const workerData = z.object({ folder: z.string() });
export type WorkerData = z.infer<typeof workerData>;
