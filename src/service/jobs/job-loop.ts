import { codeOfError } from '../../shared/errors/code-of-error.js';
import { type Job, type JobStatus, neverRun } from './job.js';

/** The runs of one job in this process, which never overlap. */
export class JobLoop {
  readonly job: Job;
  readonly #onError: (error: unknown) => void;
  #status = neverRun;
  #stopping: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(job: Job, onError: (error: unknown) => void) {
    this.job = job;
    this.#onError = onError;
  }

  get status(): JobStatus {
    return this.#status;
  }

  /** Whether this process runs the job. */
  get isBegun(): boolean {
    return this.#stopping !== undefined;
  }

  /** @param status where another instance has left the job */
  begin(status: JobStatus = this.#status): void {
    if (this.isBegun) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#status = { ...status, state: 'waiting', next_at: null };
    const { firstMs = msOf(this.job.everyMs) } = this.job;
    if (typeof firstMs === 'number') this.#schedule(firstMs, stopping);
    else {
      const orNow = (error: unknown) => {
        this.#onError(error);
        return 0;
      };
      this.#running = this.#running.then(() => firstMs().catch(orNow)).then((ms) => this.#schedule(ms, stopping));
    }
  }

  /** Aborts the run under way, and waits for it. No further one begins, until `begin` is called again. */
  async end(): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = undefined;
    clearTimeout(this.#timer);
    await this.#running;
    if (!this.isBegun) this.#status = { ...this.#status, next_at: null };
  }

  wake(): void {
    if (this.#stopping !== undefined && this.#status.state === 'waiting') this.#schedule(0, this.#stopping);
  }

  #schedule(delayMs: number, stopping: AbortController): void {
    clearTimeout(this.#timer);
    if (stopping.signal.aborted) return;
    this.#status = { ...this.#status, next_at: new Date(Date.now() + delayMs) };
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#run(stopping));
    }, delayMs).unref();
  }

  async #run(stopping: AbortController): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) return;
    this.#status = { ...this.#status, state: 'running', started_at: new Date() };
    const done = (count: number) => {
      this.#status = { ...this.#status, done: this.#status.done + count };
    };
    let outcome: Partial<JobStatus> = {};
    try {
      await this.job.run({ stopping: signal, done, wake: () => this.wake() });
      outcome = { failures: 0 };
    } catch (error) {
      // A run that was told to stop may end by an error.
      if (!signal.aborted) {
        outcome = { failures: this.#status.failures + 1, last_failure: { at: new Date(), kind: kindOf(error) } };
        this.#onError(error);
      }
    }
    const { runs } = this.#status;
    this.#status = { ...this.#status, ...outcome, state: 'waiting', finished_at: new Date(), runs: runs + 1 };
    this.#schedule(msOf(this.job.everyMs), stopping);
  }
}

function msOf(everyMs: Job['everyMs']): number {
  return typeof everyMs === 'number' ? everyMs : everyMs();
}

function kindOf(error: unknown): string {
  return codeOfError(error) ?? (error instanceof Error ? error.name : typeof error);
}
