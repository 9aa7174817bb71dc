import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FairQueue } from '../../shared/limits/fair-queue.js';
import type { FairQueueOptions } from '../../shared/limits/queue-key.js';
import { Refusal } from '../../shared/limits/refusal.js';
import type { Performed } from '../api/answer.js';
import type { LargeUpload, LargeUploads, UploadOutcome } from '../api/large-uploads.js';
import type { Database } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import type { Receiving } from '../http/body.js';
import { describeFailure } from '../http/describe-failure.js';
import { apiErrorOf, problemOf } from '../http/problem-answer.js';
import { Spool } from '../http/spool.js';
import { type TransferLimits, transferLimits } from '../http/transfer-rate.js';
import type { Job } from '../jobs/job.js';
import { newInstance } from '../jobs/job-runner.js';
import { stepCount } from './do-upload.js';
import type { JobKey } from './job-key.js';
import { abandonedUploads, failUpload, makeUpload, noteStep, pruneUploads, renewLeases } from './job-rows.js';
import { loadJob, pathOfJob } from './load-job.js';
import type { UploadTask } from './messages.js';
import { UploadProcesses } from './upload-processes.js';
import { interrupted, resultOf } from './upload-result.js';

export interface UploadJobsOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** The folder where large bodies lie until they have been read. */
  readonly folder: string;
  /** No other process uses the database and the folder: what another one has left is nobody's. */
  readonly isSole: boolean;
  /** The name of this process. */
  readonly instance?: string;
  readonly transfer?: TransferLimits;
  /** Uploads that are done at once. */
  readonly workers?: number;
  /** Megabytes of heap that one of them may take. */
  readonly memoryMb?: number;
  /** Milliseconds for which `close` lets those under way end. */
  readonly patienceMs?: number;
}

const minute = 60_000;

/** How often the jobs of this process are said to be alive. */
const heartbeatMs = 10_000;

/** Large uploads as jobs of processes of their own. Each organisation has its own line, and never more than half of the places. */
export class UploadJobs implements LargeUploads {
  readonly receiving: Receiving;
  readonly #options: UploadJobsOptions;
  readonly #processes: UploadProcesses;
  readonly #memoryMb: number;
  readonly #instance: string;
  readonly #received = new FairQueue({ ...shared(16, 'large uploads are being received'), maxWaitMs: minute });
  readonly #jobs: FairQueue;
  /** Those under way in this process. Each ends without an error: a failure is in its row, and thrown to who waits. */
  readonly #running = new Map<string, Promise<Performed | ApiError>>();
  /** Failures that the database did not take, as while it restarts: nobody has to wait for the leases of these jobs. */
  readonly #unkept = new Map<string, () => Promise<void>>();
  #isClosing = false;

  constructor(options: UploadJobsOptions) {
    this.#options = options;
    this.#instance = options.instance ?? newInstance();
    const { database, folder, isSole, transfer = transferLimits, workers = 2, memoryMb = 2048 } = options;
    this.receiving = { spool: new Spool(folder, isSole), transfer };
    this.#memoryMb = memoryMb;
    this.#processes = new UploadProcesses({ database, memoryMb, maxJobMs: 10 * minute });
    this.#jobs = new FairQueue(shared(workers, 'uploads of this organisation wait'));
  }

  /** Jobs of this process that are not at their end, those that wait included. */
  get underWay(): number {
    return this.#running.size;
  }

  /** Ends the jobs that another process has left. */
  begin(): Promise<void> {
    return this.#endAbandoned(this.#options.isSole);
  }

  /** Says that the jobs of this process are alive, ends those that others have left, and forgets old ones. */
  upkeep(): Job {
    const { database } = this.#options;
    return {
      ...{ name: 'uploads', everyMs: heartbeatMs, shared: 'every_instance' },
      failure: 'uploads could not be looked after',
      run: async () => {
        // One that the database still does not take stops neither the others nor what follows.
        for (const [id, keep] of this.#unkept) {
          await keep().then(
            () => this.#unkept.delete(id),
            () => {},
          );
        }
        if (this.#running.size > 0) await renewLeases(database, this.#instance, new Date());
        await this.#endAbandoned(false);
        await pruneUploads(database, new Date());
      },
      close: () => this.close(),
    };
  }

  async enter(organisationId: string, disconnected: AbortSignal): Promise<() => void> {
    this.#jobs.requireRoom(organisationId);
    return this.#received.acquire(organisationId, { signal: disconnected });
  }

  async upload(upload: LargeUpload): Promise<UploadOutcome> {
    const { request, bound, body, waitMs } = upload;
    const { organisationId } = request.caller;
    let job: Awaited<ReturnType<typeof makeUpload>> | undefined;
    try {
      this.#jobs.requireRoom(organisationId);
      const made = { procedure: bound.name, request, instance: this.#instance, steps: stepCount };
      job = await makeUpload(this.#options.database, made, new Date());
      if ('answer' in job) return job;
      if (job.isNew) this.#start(job, upload);
    } finally {
      const isTaken = job !== undefined && 'isNew' in job && job.isNew;
      if (!isTaken && 'file' in body) await this.receiving.spool.remove(body.file);
    }
    const running = this.#running.get(job.id);
    const ended = running === undefined ? undefined : await withinMs(running, waitMs);
    if (ended instanceof ApiError) throw ended;
    if (ended !== undefined) return { ...ended, replayed: ended.replayed || !job.isNew };
    return { job: await loadJob(this.#options.database, job), path: pathOfJob(request, job) };
  }

  /** Lets the uploads under way end for a while; the others fail, and are to be sent again. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await withinMs(Promise.allSettled(this.#running.values()), this.#options.patienceMs ?? 10_000);
    await this.#processes.close();
    await Promise.allSettled(this.#running.values());
  }

  #start(key: JobKey, upload: LargeUpload): void {
    const running = this.#do(key, upload)
      .catch(async (error: unknown) => {
        const isExpected = error instanceof ApiError || error instanceof Refusal;
        const failed = this.#isClosing ? interrupted : apiErrorOf(isExpected ? error : new ApiError('internal'));
        if (!this.#isClosing && !isExpected) {
          this.#options.logger.error({ upload_id: key.id, failure: describeFailure(error) }, 'upload failed');
        }
        await this.#fail(key, failed, upload.request.requestId);
        return failed;
      })
      .finally(() => this.#running.delete(key.id));
    this.#running.set(key.id, running);
  }

  async #do({ id, organisationId }: JobKey, { bound, request, body, contentType }: LargeUpload): Promise<Performed> {
    const leave = await this.#jobs.acquire(organisationId);
    let noted: Promise<unknown> = Promise.resolve();
    try {
      if (this.#isClosing) throw interrupted;
      const task: UploadTask = { id, procedure: bound.name, request, body, contentType: contentType ?? null };
      const end = await this.#processes.run(task, (step) => {
        noted = noteStep(this.#options.database, { organisationId, id }, step, new Date()).catch(() => {});
      });
      if (end.kind === 'killed' && !this.#isClosing) {
        this.#options.logger.error(
          { upload_id: id, failure: describeFailure(end.error) },
          'an upload worker was killed',
        );
      }
      return resultOf(end, bound.procedure, this.#memoryMb);
    } finally {
      leave();
      if ('file' in body) await this.receiving.spool.remove(body.file);
      await noted;
    }
  }

  async #fail(key: JobKey, error: ApiError, requestId: string): Promise<void> {
    const keep = () => failUpload(this.#options.database, key, problemOf(error, requestId), new Date());
    await keep().catch((unkept: unknown) => {
      this.#unkept.set(key.id, keep);
      this.#options.logger.error(
        { upload_id: key.id, failure: describeFailure(unkept) },
        'a failed upload was not kept; it will be tried again',
      );
    });
  }

  async #endAbandoned(ofAll: boolean): Promise<void> {
    const { database } = this.#options;
    for (const key of await abandonedUploads(database, ofAll ? this.#instance : null, new Date())) {
      await failUpload(database, key, problemOf(interrupted, null), new Date());
    }
  }
}

/** Places that organisations share. One organisation never has more than half of them, but always one. */
function shared(places: number, what: string): FairQueueOptions {
  return {
    ...{ name: what, refusal: `too many ${what}`, shares: 'pieces', retryAfterSeconds: [5, 60] },
    ...{ maxRunning: places, maxRunningPerKey: Math.max(1, Math.floor(places / 2)), maxWaitingPerKey: 16 },
  };
}

/** What a promise answers in time; undefined where it does not. */
async function withinMs<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => stop.abort());
}
