import { MessagePort } from 'node:worker_threads';
import * as z from 'zod';

const connection = z.int();
const bytes = z.instanceof(Uint8Array);

/** Messages of a thread that uses the database. `bytes` belong to one connection's PostgreSQL protocol. */
const fromUser = [
  z.object({ kind: z.literal('connect'), connection }),
  z.object({ kind: z.literal('bytes'), connection, bytes }),
  z.object({ kind: z.literal('disconnect'), connection }),
] as const;
export const ofUser = z.discriminatedUnion('kind', fromUser);
export type OfUser = z.infer<typeof ofUser>;

/** Messages from the main thread to the worker. `attach` lets another thread in, at the other end of the port. */
export const toWorker = z.discriminatedUnion('kind', [
  ...fromUser,
  z.object({ kind: z.literal('attach'), port: z.instanceof(MessagePort) }),
  z.object({ kind: z.literal('close') }),
]);
export type ToWorker = z.infer<typeof toWorker>;

/** Bytes from the worker to a thread that uses the database. */
export const toUser = z.object({ kind: z.literal('bytes'), connection, bytes });
export type ToUser = z.infer<typeof toUser>;

/** Messages from the worker to the main thread. After `broken` the worker ends. */
export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  toUser,
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

export const workerData = z.object({ folder: z.string() });
export type WorkerData = z.infer<typeof workerData>;
