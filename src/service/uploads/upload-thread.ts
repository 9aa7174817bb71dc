import { Worker } from 'node:worker_threads';
import type { SharedDatabase } from '../db/database.js';
import { type UploadReport, type UploadStep, type UploadTask, uploadReport } from './messages.js';

/** As of the database's worker: it is built beside this module, and tests take it from dist/. */
const builtWorker = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/upload-worker.js', import.meta.url)
  : new URL('./upload-worker.js', import.meta.url);

/** How an upload ended. `exhausted`: its thread had no memory left. */
export type UploadEnd =
  | Exclude<UploadReport, { readonly kind: 'progress' }>
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'crashed'; readonly error: unknown };

/** A worker thread that does one upload after the other, with a connection to the database of its own. */
export class UploadThread {
  readonly #worker: Worker;
  #report: ((report: UploadReport) => void) | null = null;
  #crash: ((end: UploadEnd) => void) | null = null;

  /** @param memoryMb megabytes of the heap, beyond which the thread ends */
  constructor(shared: SharedDatabase, memoryMb: number) {
    this.#worker = new Worker(builtWorker, {
      workerData: { shared },
      transferList: shared.kind === 'embedded' ? [shared.line] : [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: unknown) => this.#report?.(uploadReport.parse(message)));
    let failure: unknown = null;
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.once('exit', (code) => {
      const isExhausted = failure instanceof Error && 'code' in failure && failure.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const error = failure ?? new Error(`the upload worker ended with code ${code}`);
      this.#crash?.(isExhausted ? { kind: 'exhausted' } : { kind: 'crashed', error });
    });
  }

  /** Does one upload; never while another is under way. */
  run(task: UploadTask, onStep: (step: UploadStep) => void): Promise<UploadEnd> {
    return new Promise((resolve) => {
      const end = (result: UploadEnd) => {
        this.#report = null;
        this.#crash = null;
        resolve(result);
      };
      this.#crash = end;
      this.#report = (report) => {
        if (report.kind === 'progress') onStep({ phase: report.phase, done: report.done, of: report.of });
        else end(report);
      };
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
