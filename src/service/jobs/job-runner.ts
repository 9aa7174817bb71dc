import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { compareText } from '../../shared/text/compare-text.js';
import type { Database } from '../db/database.js';
import { describeFailure } from '../http/describe-failure.js';
import type { Job } from './job.js';
import { JobLoop } from './job-loop.js';
import { type JobRow, readJobs, renewJobs } from './job-rows.js';

interface JobRunnerOptions {
  readonly database: Pick<Database, 'system'>;
  readonly logger: Logger;
  readonly jobs: readonly Job[];
  /** No other process uses the database: all jobs are this one's, and it writes no leases. */
  readonly isSole: boolean;
  /** The name of this process, as the list of jobs shows it. */
  readonly instance?: string;
  /** Milliseconds after which another instance takes the jobs of one that has ended without a word. */
  readonly leaseMs?: number;
}

/** The machine's name and something that no other process has. */
export const newInstance = () => `${hostname()}-${randomUUID().slice(0, 8)}`;

/**
 * Runs the background work of a process, and shares it with the other instances of the service: a job of `one_instance` runs where
 * its lease is. All leases of an instance are renewed in one statement, which also writes how its jobs are doing.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #instance: string;
  readonly #leaseMs: number;
  readonly #loops: readonly JobLoop[];
  readonly #renewals: JobLoop;
  /** The jobs of all instances, as they were at the last renewal. */
  #known: readonly JobRow[] = [];
  /** Until when no other instance takes a job of this one, by `performance.now()`. */
  #heldUntil = 0;

  constructor(options: JobRunnerOptions) {
    const { jobs, logger, instance = newInstance(), leaseMs = 30_000 } = options;
    this.#options = options;
    this.#instance = instance;
    this.#leaseMs = leaseMs;
    const loopOf = (job: Job) =>
      new JobLoop(job, (error) => logger.error({ failure: describeFailure(error) }, job.failure));
    this.#loops = jobs.map(loopOf);
    this.#renewals = loopOf({
      ...{ name: 'renewals', shared: 'every_instance', firstMs: 0, everyMs: leaseMs / 6 },
      failure: 'the leases of background work could not be renewed',
      run: () => this.#renew(),
    });
  }

  begin(): void {
    const { isSole } = this.#options;
    for (const loop of this.#loops) if (isSole || loop.job.shared === 'every_instance') loop.begin();
    if (!isSole) this.#renewals.begin();
  }

  /** When a job runs next, here or elsewhere; null where that is not known. */
  nextAt(name: string): Date | null {
    const own = this.#loops.find(({ isBegun, job }) => isBegun && job.name === name)?.status;
    return (own ?? this.#known.find((row) => row.name === name)?.status)?.next_at ?? null;
  }

  /** Jobs of this process whose last run has failed. */
  get failing(): number {
    return this.#loops.filter(({ isBegun, status }) => isBegun && status.failures > 0).length;
  }

  /** The jobs of all instances: those of this one as they are, the others as they were some seconds ago. */
  async list(): Promise<readonly JobRow[]> {
    const { database, isSole } = this.#options;
    const instance = this.#instance;
    const own = this.#loops.filter(({ isBegun }) => isBegun).map((loop) => ({ ...rowOf(loop), instance }));
    const known = isSole ? [] : await database.system(readJobs);
    const all = [...own, ...known.filter((row) => row.instance !== instance)];
    return all.sort((a, b) => compareText(a.name, b.name));
  }

  /** Ends the runs under way, then closes the jobs in their order, and leaves them to the other instances. */
  async stop(): Promise<void> {
    const { database, isSole, logger } = this.#options;
    await this.#renewals.end();
    const held = this.#loops.filter(({ isBegun }) => isBegun);
    await Promise.all(this.#loops.map((loop) => loop.end()));
    for (const { job } of this.#loops) await job.close?.();
    if (isSole) return;
    await database
      .system((tx) => renewJobs(tx, { instance: this.#instance, leaseMs: -1 }, held.map(rowOf)))
      .catch((error: unknown) => logger.error({ failure: describeFailure(error) }, this.#renewals.job.failure));
  }

  async #renew(): Promise<void> {
    const lease = { instance: this.#instance, leaseMs: this.#leaseMs };
    const heldUntil = performance.now() + this.#leaseMs;
    try {
      const [held, known] = await this.#options.database.system(async (tx) => [
        await renewJobs(tx, lease, this.#loops.map(rowOf)),
        await readJobs(tx),
      ]);
      this.#heldUntil = heldUntil;
      this.#known = known;
      for (const loop of this.#loops) {
        const status = held.get(loop.job.name);
        if (status !== undefined) loop.begin(status);
        else this.#lose(loop);
      }
    } catch (error) {
      if (performance.now() > this.#heldUntil) for (const loop of this.#loops) this.#lose(loop);
      throw error;
    }
  }

  /** Another instance may run it from now on. */
  #lose(loop: JobLoop): void {
    if (loop.job.shared === 'one_instance') void loop.end();
  }
}

const rowOf = ({ job: { name, shared }, status }: JobLoop) => ({ name, shared, status });
