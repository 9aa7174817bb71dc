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
  /** What the log says of a run that fails. */
  readonly failure: string;
  run(run: JobRun): Promise<unknown>;
  /** Called when the service stops, after the last run. */
  close?(): Promise<void>;
}

/** What a run of a job is given. */
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
