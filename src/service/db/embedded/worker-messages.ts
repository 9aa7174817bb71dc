import * as z from 'zod';

const connection = z.int();
const bytes = z.instanceof(Uint8Array);

/** What the main thread tells the database's worker. Bytes are the PostgreSQL protocol's, of one connection. */
export const toWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), connection }),
  z.object({ kind: z.literal('bytes'), connection, bytes }),
  z.object({ kind: z.literal('close') }),
]);
export type ToWorker = z.infer<typeof toWorker>;

/** What the worker tells the main thread. After `broken` it ends. */
export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('bytes'), connection, bytes }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

export const workerData = z.object({ folder: z.string() });
export type WorkerData = z.infer<typeof workerData>;
