import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';

/** Background work of the service. A domain describes it; the runner (`job-runner.ts`) decides when and where it runs. */
export interface Job {
  readonly name: string;
  /** Milliseconds from the end of a run to the next one. */
  readonly everyMs: number | (() => number);
  /** Milliseconds until the first run of an instance; `everyMs` if absent, 0 where it cannot be found out. */
  readonly firstMs?: number | (() => Promise<number>);
  /**
   * `one_instance`: of several instances one runs it, for as long as it holds the job's lease. Two can still overlap for a moment
   * after one has lost its lease, so each transaction must be right also then. `every_instance`: each runs it.
   */
  readonly shared: 'one_instance' | 'every_instance';
  /** The message in the log when a run fails. */
  readonly failure: string;
  run(run: JobRun): Promise<unknown>;
  /** Called when the service stops, after the last run. */
  close?(): Promise<void>;
}

/** The tools of one run of a job. */
export interface JobRun {
  /** Aborted when the service stops or another instance takes over. What is left is done by the next run. */
  readonly stopping: AbortSignal;
  /** Reports progress: so many more rows, or other units of the job, are done. */
  done(count: number): void;
  /** Begins the next run at once, also after this one has ended. Changes nothing while a run is under way. */
  wake(): void;
}

/** For callers that want the work itself, without a runner. */
export const withoutRunner: JobRun = { stopping: new AbortController().signal, done: () => {}, wake: () => {} };

/** How a job is doing, in the database and as an operator sees it. */
export const jobStatus = z.object({
  state: z.enum(['waiting', 'running']),
  /** The start of the last run, or of the one under way. */
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** When the next run begins; while one is under way, when that one was due. */
  next_at: timestamp.nullable(),
  runs: z.int(),
  /** Rows, or other units of the job, that all runs have done. */
  done: z.int(),
  /** Runs that have failed since the last one that did not. */
  failures: z.int(),
  /** The last failure, by its code or kind alone: messages may quote data. */
  last_failure: z.object({ at: timestamp, kind: z.string() }).nullable(),
});

export type JobStatus = z.output<typeof jobStatus>;

export const neverRun: JobStatus = {
  ...{ state: 'waiting', started_at: null, finished_at: null, next_at: null },
  ...{ runs: 0, done: 0, failures: 0, last_failure: null },
};
