import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { routerOf } from '../../../src/service/http/routes.js';
import type { Job, JobRun } from '../../../src/service/jobs/job.js';
import { JobRunner } from '../../../src/service/jobs/job-runner.js';
import { untilDone } from '../../../src/service/jobs/pages.js';
import { jobsRoute } from '../../../src/service/operator/jobs-route.js';
import { at } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService } from '../../support/service.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());

/** A job whose runs last until they are told to stop, or until `end` is called. */
function longJob(shared: Job['shared'] = 'one_instance', name: string = randomUUID()) {
  const runs: (JobRun & { readonly instance: string; readonly end: (error?: Error) => void })[] = [];
  const job = (instance: string): Job => ({
    ...{ name, everyMs: 20, firstMs: 0, shared, failure: 'the long job has failed' },
    run: (run) =>
      new Promise<void>((resolve, reject) => {
        run.stopping.addEventListener('abort', () => resolve());
        runs.push({ ...run, instance, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  });
  return { name, job, runs };
}

function startRunner(
  instance: string,
  jobs: readonly Job[],
  options: { leaseMs?: number; of?: Pick<Database, 'system'> } = {},
) {
  const { of = database, leaseMs = 30_000 } = options;
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const runner = new JobRunner({ database: of, logger, jobs, isSole: false, instance, leaseMs });
  runner.begin();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= runner.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { runner, stop, log: () => lines.join('') };
}

const instances = (runs: readonly { readonly instance: string }[]) => runs.map(({ instance }) => instance);

test('of two instances one runs a job of one, both run a job of every one, and a stop hands over', async () => {
  const [shared, each] = [longJob(), longJob('every_instance')];
  const first = startRunner('first', [shared.job('first'), each.job('first')]);
  await eventually(() => expect(instances(shared.runs)).toEqual(['first']));
  const second = startRunner('second', [shared.job('second'), each.job('second')]);
  await eventually(() => expect(instances(each.runs).sort()).toEqual(['first', 'second']));
  await eventually(async () =>
    expect((await second.runner.list()).map(({ name, instance }) => [name, instance])).toEqual(
      expect.arrayContaining([
        [shared.name, 'first'],
        [each.name, 'first'],
        [each.name, 'second'],
      ]),
    ),
  );
  expect(instances(shared.runs)).toEqual(['first']);
  shared.runs[0]?.done(7);
  await first.stop();
  expect(shared.runs[0]?.stopping.aborted).toBe(true);
  await eventually(() => expect(instances(shared.runs)).toEqual(['first', 'second']));
  // The job goes on counting where it was left.
  const rows = (await second.runner.list()).filter(({ name }) => [shared.name, each.name].includes(name));
  expect(rows.map(({ instance }) => instance)).toEqual(['second', 'second']);
  expect(rows.find(({ name }) => name === shared.name)?.status).toMatchObject({ state: 'running', runs: 1, done: 7 });
});

test('a lease that has ended is taken over, and the run of the former holder is told to stop', async () => {
  const { job, runs, name } = longJob();
  startRunner('paused', [job('paused')]);
  await eventually(() => expect(instances(runs)).toEqual(['paused']));
  const other = startRunner('other', [job('other')]);
  await eventually(async () => expect((await other.runner.list()).map((row) => row.name)).toContain(name));
  // As if the process had stood still for longer than its lease.
  await database.system((tx) =>
    sql`update jobs set instance = 'other', lease_until = now() + interval '1 minute' where name = ${name}`.execute(tx),
  );
  await eventually(() => expect(runs[0]?.stopping.aborted).toBe(true));
  await other.stop();
  await eventually(() => expect(instances(runs)).toContain('paused'));
});

test('one that cannot renew its leases gives its jobs up when they end', async () => {
  const { job, runs } = longJob();
  let isAway = false;
  const broken: Pick<Database, 'system'> = {
    system: (work, lane) => (isAway ? Promise.reject(new Error('no database')) : database.system(work, lane)),
  };
  const cut = startRunner('cut off', [job('cut off')], { of: broken, leaseMs: 3_000 });
  await eventually(() => expect(instances(runs)).toEqual(['cut off']));
  isAway = true;
  startRunner('heir', [job('heir')]);
  await eventually(() => expect(instances(runs)).toContain('heir'));
  const cutOff = runs.filter(({ instance }) => instance === 'cut off');
  await eventually(() => expect(cutOff.every(({ stopping }) => stopping.aborted)).toBe(true));
  expect(cut.log()).toContain('the leases of background work could not be renewed');
});

test('an operator sees each job with its progress and its last failure, without the words of the error', async () => {
  const { job, runs, name } = longJob();
  const { runner, log } = startRunner('shown', [job('shown')]);
  const operatorRoutes = routerOf([jobsRoute(database, () => runner.list())]);
  const service = await startService({ database, operatorRoutes });
  onTestFinished(service.close);
  const shown = async () => {
    const { status, body } = await service.call(service.operatorKey, 'GET', '/api/operator/jobs');
    expect(status).toBe(200);
    const list: unknown = at(body, 'jobs');
    return { body, job: Array.isArray(list) ? list.find((row: unknown) => at(row, 'name') === name) : undefined };
  };
  await eventually(() => expect(runs).toHaveLength(1));
  runs[0]?.done(3);
  runs[0]?.done(4);
  const running = await shown();
  expect(running.job).toMatchObject({ shared: 'one_instance', instance: 'shown', state: 'running', done: 7, runs: 0 });
  expect(running.body).toMatchObject({ uploads: { queued: 0, running: 0, items: [] } });
  runs[0]?.end(Object.assign(new Error('secret words'), { code: 'ECONNREFUSED' }));
  await eventually(() => expect(runs).toHaveLength(2));
  expect(log()).toContain('the long job has failed');
  const failed = await shown();
  expect(failed.job).toMatchObject({ runs: 1, failures: 1, last_failure: { kind: 'ECONNREFUSED' } });
  expect(runner.failing).toBe(1);
  expect(JSON.stringify(failed.body)).not.toContain('secret words');
  runs[1]?.end();
  await eventually(async () => expect((await shown()).job).toMatchObject({ failures: 0 }));
  expect((await shown()).job).toMatchObject({ last_failure: { kind: 'ECONNREFUSED' } });
  expect((await service.call(null, 'GET', '/api/operator/jobs')).status).toBe(401);
});

test('a stop ends a job between two pages, and what is left is done by the next run', async () => {
  await database.system((tx) => sql`create table paged as select n from generate_series(1, 2000) as n`.execute(tx));
  const counted = async () => {
    const { rows } = await database.system((tx) =>
      sql<{ n: number }>`select count(*)::int as n from paged`.execute(tx),
    );
    return rows[0]?.n ?? 0;
  };
  const stopping = new AbortController();
  const remove = (rows: number) =>
    sql`delete from paged where ctid = any (array(select ctid from paged limit ${rows}))`;
  const limits = { first: 100, most: 100 };
  let done = 0;
  const run: JobRun = {
    stopping: stopping.signal,
    wake: () => {},
    done(rows) {
      done += rows;
      if (done >= 300) stopping.abort();
    },
  };
  expect(await untilDone(database, limits, remove, run)).toBe(done);
  expect(done).toBeLessThan(500);
  expect(await counted()).toBe(2000 - done);
  expect(await untilDone(database, limits, remove)).toBe(2000 - done);
  expect(await counted()).toBe(0);
});
