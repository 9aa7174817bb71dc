import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';

/** How a job is doing, in the database and as an operator sees it. */
export const jobStatus = z.object({
  state: z.enum(['waiting', 'running']),
  /** Of the last run, or of the one under way. */
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
