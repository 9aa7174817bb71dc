import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadJob } from '../../../src/procedures/uploads.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { uploadWorkers } from './worker-processes.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const reports = '/sast/reports?source_repo=https://example.com/shop';

type Project = Awaited<ReturnType<typeof newScannedProject>>;

const report = (lines: number, more: object = {}) => ({
  ...sarif(run(Array.from({ length: lines }, (_, line) => result(line + 1)))),
  properties: { padding: 'x'.repeat(300 * 1024) },
  ...more,
});

const stateOf = ({ organisation }: Project) =>
  service.database.system(async (tx) => {
    const { rows } = await sql<{ state: string; phase: string; sets: number }>`
      select state, phase, (select count(*) from change_sets where organisation_id = ${organisation.id}
        and state = 'open') as sets
      from uploads where organisation_id = ${organisation.id} order by id desc limit 1`.execute(tx);
    return rows[0];
  });

/** Ends the workers of all services of this process. */
function killWorkers(): void {
  for (const pid of uploadWorkers()) process.kill(pid, 'SIGKILL');
}

describe('an upload worker that ends', () => {
  test('while it waits for an upload is replaced', async () => {
    const project = await newScannedProject(service);
    expect((await project.call('POST', reports, report(1))).status).toBe(200);
    expect(uploadWorkers()).not.toEqual([]);
    killWorkers();
    expect(await project.call('POST', reports, report(2))).toMatchObject({
      status: 200,
      body: { findings: { new: 1 } },
    });
  });

  test('while it writes leaves nothing, and the next upload of the project is taken at once', async () => {
    const project = await newScannedProject(service);
    expect((await project.call('POST', reports, report(3))).status).toBe(200);
    const before = await project.codeFindings();
    const answered = project.call('POST', reports, report(4000));
    await eventually(async () => expect(await stateOf(project)).toMatchObject({ phase: 'writing', sets: 1 }));
    killWorkers();
    expect(await answered).toMatchObject({ status: 503, body: { detail: 'interrupted: upload it again' } });
    expect((await answered).headers.get('retry-after')).toBe('1');
    expect((await project.codeFindings()).items).toEqual(before.items);
    expect((await project.codeJobs()).items.map(({ status }) => status)).toEqual(['failed', 'done']);
    // Its lease would last a minute, and a landing waits no longer than that.
    const [again, late] = [project.call('POST', reports, report(5)), setTimeout(40_000, 'late', { ref: false })];
    expect(await Promise.race([again, late])).toMatchObject({ status: 200, body: { findings: { new: 2 } } });
    expect(await project.codeFindings()).toMatchObject({ total: 5 });
  });

  test('at its start, because it has no memory, is told', async () => {
    const starved = await startService({ uploading: { memoryMb: 1 } });
    const project = await newScannedProject(starved);
    expect(await project.call('POST', reports, report(1))).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'takes more than 1 MB of memory to read: split it' }] },
    });
    await starved.close();
  });
});

describe('a service that stops', () => {
  test('while jobs run and wait ends them all, as interrupted', async () => {
    const stopping = await startService({ uploading: { workers: 1, patienceMs: 0 } });
    const project = await newScannedProject(stopping);
    const accepted = await Promise.all(
      [3000, 3001, 3002].map((lines) => project.call('POST', reports, report(lines), { prefer: 'wait=0' })),
    );
    const ids = accepted.map(({ status, body }) => {
      expect(status).toBe(202);
      return uploadJob.parse(body).id;
    });
    expect(stopping.uploads.underWay).toBe(3);
    await stopping.close();
    expect(stopping.uploads.underWay).toBe(0);
    for (const id of ids) {
      const { status, body } = await service.call(project.key, 'GET', `${project.path}/uploads/${id}`);
      expect([status, body]).toMatchObject([200, { state: 'failed', problem: { code: 'unavailable' } }]);
    }
    const next = (method: string, path: string, body?: unknown) =>
      service.call(project.key, method, `${project.path}${path}`, body);
    expect(await next('GET', '/sast/findings')).toMatchObject({ body: { total: 0 } });
    expect(await next('POST', reports, report(2))).toMatchObject({ status: 200 });
  });

  test('takes no more', async () => {
    const stopped = await startService();
    const project = await newScannedProject(stopped);
    await stopped.uploads.close();
    const answer = await project.call('POST', reports, report(1));
    expect(answer).toMatchObject({ status: 503, body: { detail: 'interrupted: upload it again' } });
    await stopped.close();
  });
});

test('an upload whose client has gone is done nevertheless', async () => {
  const project = await newScannedProject(service);
  const left = new AbortController();
  const sent = fetch(`${service.url}${project.path}${reports}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(report(500)),
    signal: left.signal,
  });
  await eventually(async () => expect(await stateOf(project)).toMatchObject({ state: 'running' }));
  left.abort();
  await expect(sent).rejects.toThrow();
  await eventually(async () => expect(await stateOf(project)).toMatchObject({ state: 'done' }));
  expect(await project.codeFindings()).toMatchObject({ total: 500 });
});
