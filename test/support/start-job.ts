import { type Logger, pino } from 'pino';
import type { Database } from '../../src/service/db/database.js';
import type { Job } from '../../src/service/jobs/job.js';
import { JobRunner } from '../../src/service/jobs/job-runner.js';

/** Runs one job, as the program does, until it is stopped. */
export function startJob(database: Database, job: Job, logger: Logger = pino({ enabled: false })) {
  const runner = new JobRunner({ database, logger, jobs: [job], isSole: true });
  runner.begin();
  return { stop: () => runner.stop() };
}
