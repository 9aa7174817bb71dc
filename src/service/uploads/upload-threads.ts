import type { Database } from '../db/database.js';
import type { UploadStep, UploadTask } from './messages.js';
import { type UploadEnd, UploadThread } from './upload-thread.js';

interface Options {
  readonly database: Database;
  /** Megabytes that the heap of one thread may take. */
  readonly memoryMb: number;
  /** Milliseconds that one upload may take. */
  readonly maxJobMs: number;
}

/** A thread that holds more bytes than this after a job is ended, since its memory does not shrink again. */
const warmBytes = 160 * 1024 * 1024;

/** Threads for uploads: one is kept for the next upload. */
export class UploadThreads {
  readonly #options: Options;
  readonly #busy = new Set<UploadThread>();
  #warm: UploadThread | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does one upload. Never throws. */
  async run(task: UploadTask, onStep: (step: UploadStep) => void): Promise<UploadEnd | { readonly kind: 'too_long' }> {
    const { database, memoryMb, maxJobMs } = this.#options;
    const thread = this.#warm ?? new UploadThread(database.share(), memoryMb);
    this.#warm = null;
    this.#busy.add(thread);
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<{ readonly kind: 'too_long' }>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'too_long' }), maxJobMs).unref();
    });
    const end = await Promise.race([thread.run(task, onStep), tooLong]);
    clearTimeout(timer);
    this.#busy.delete(thread);
    const isSmall = 'memory' in end && end.memory <= warmBytes;
    if (isSmall && this.#warm === null) this.#warm = thread;
    // Waited for: the next job would otherwise run beside the memory of this one.
    else await thread.end();
    return end;
  }

  async close(): Promise<void> {
    const threads = [...this.#busy, ...(this.#warm === null ? [] : [this.#warm])];
    this.#warm = null;
    await Promise.all(threads.map((thread) => thread.end()));
  }
}
