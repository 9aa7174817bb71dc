import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { type KeptList, type ListDocument, readList } from './read-list.js';

/** As of the database's worker: it is built beside this module, and tests take it from dist/. */
const builtWorker = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/list-worker.js', import.meta.url)
  : new URL('./list-worker.js', import.meta.url);

/** Bytes of a document whose reading holds the process for some 20 ms. A larger one is read by a thread: it can take half a second. */
const maxHere = 512 * 1024;

const kept = z.object({
  versions: z.array(z.string()),
  yanked: z.array(z.string()),
  latest: z.string().nullable(),
  releases: z.string().nullable(),
});

/**
 * One thread at a time: 16 MB of JSON can become 400 MB of values. The thread has no limit of its own, because one that is reached ends
 * the whole process.
 */
let turn: Promise<unknown> = Promise.resolve();

/** Reads a document, a large one in a thread of its own. Throws for one of another shape, or where `signal` ends it. */
export async function readListAside(document: ListDocument, signal: AbortSignal): Promise<KeptList> {
  if (document.body.length <= maxHere) return readList(document);
  const read = turn.then(() => readInThread(document, signal));
  turn = read.catch(() => undefined);
  return read;
}

async function readInThread(workerData: ListDocument, signal: AbortSignal): Promise<KeptList> {
  signal.throwIfAborted();
  const worker = new Worker(builtWorker, { workerData });
  try {
    const [message]: unknown[] = await once(worker, 'message', { signal });
    return kept.parse(message);
  } finally {
    await worker.terminate();
  }
}
