import type { Database } from '../db/database.js';
import type { UploadStep, UploadTask } from './messages.js';
import { type UploadEnd, UploadProcess } from './upload-process.js';

interface Options {
  readonly database: Database;
  /** Megabytes that the heap of one process may take. */
  readonly memoryMb: number;
  /** Milliseconds that one upload may take. */
  readonly maxJobMs: number;
}

/** A process that takes more bytes than this after a job is ended, since its memory does not shrink again. */
const warmBytes = 220 * 1024 * 1024;

/** Processes for uploads: one is kept for the next upload. */
export class UploadProcesses {
  readonly #options: Options;
  readonly #busy = new Set<UploadProcess>();
  #warm: UploadProcess | null = null;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does one upload. Throws where the database cannot be shared. */
  async run(task: UploadTask, onStep: (step: UploadStep) => void): Promise<UploadEnd | { readonly kind: 'too_long' }> {
    const kept = this.#keptOne();
    const worker = kept ?? new UploadProcess(this.#options.database.share(), this.#options.memoryMb);
    this.#busy.add(worker);
    let hasBegun = false;
    const onBegun = (step: UploadStep) => {
      hasBegun = true;
      onStep(step);
    };
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<{ readonly kind: 'too_long' }>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'too_long' }), this.#options.maxJobMs).unref();
    });
    const end = await Promise.race([worker.run(task, onBegun), tooLong]);
    clearTimeout(timer);
    this.#busy.delete(worker);
    // It was ended while it waited, and nobody knew yet.
    if (kept !== null && end.kind === 'killed' && !hasBegun && !this.#isClosed) return this.run(task, onStep);
    const isSmall = 'memory' in end && end.memory <= warmBytes;
    if (isSmall && this.#warm === null && !worker.hasEnded) this.#warm = worker;
    // Waited for: the next job would otherwise run beside the memory of this one, and this one might still write.
    else await worker.end();
    return end;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const workers = [...this.#busy, ...(this.#warm === null ? [] : [this.#warm])];
    this.#warm = null;
    await Promise.all(workers.map((worker) => worker.end()));
  }

  /** The one that is kept, unless it has ended meanwhile. */
  #keptOne(): UploadProcess | null {
    const warm = this.#warm;
    this.#warm = null;
    return warm === null || warm.hasEnded ? null : warm;
  }
}
