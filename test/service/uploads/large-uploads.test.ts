import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadJob } from '../../../src/procedures/uploads.js';
import { at } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Project = Awaited<ReturnType<typeof newScannedProject>>;

const reports = '/sast/reports?source_repo=https://example.com/shop';

/** A report that is too large for the main thread; `mark` makes another one of it. */
const large = (lines: number, mark = 'x') =>
  JSON.stringify({
    ...sarif(run(Array.from({ length: lines }, (_, line) => result(line + 1)))),
    properties: { padding: mark.repeat(300 * 1024) },
  });

/** The job that a 202 names. */
async function jobAt(project: Project, path: string | null) {
  const { status, body } = await service.call(project.key, 'GET', path ?? '');
  expect(status).toBe(200);
  return uploadJob.parse(body);
}

const ended = (project: Project, path: string | null) =>
  eventually(async () => {
    const job = await jobAt(project, path);
    expect(job.state).not.toMatch(/queued|running/);
    return job;
  });

const jobsOf = ({ organisation }: Project) =>
  service.database.system((tx) =>
    tx.selectFrom('uploads').selectAll().where('organisation_id', '=', organisation.id).orderBy('id').execute(),
  );

describe('a large report', () => {
  test('is answered as a small one, by a job that leaves no file', async () => {
    const project = await newScannedProject(service);
    const answer = await project.call('POST', reports, large(2));
    expect(answer).toMatchObject({ status: 200, body: { receipt: { taken: 2 }, findings: { new: 2 } } });
    expect(await project.codeFindings()).toMatchObject({ total: 2 });
    const [job] = await jobsOf(project);
    expect(job).toMatchObject({ state: 'done', done: 3, steps: 3, answer: answer.body });
    expect(await readdir(service.uploadsFolder)).toEqual([]);
    expect(await project.audit('sast.upload_report')).toHaveLength(1);
    // Written by another process.
    const { readKey } = project.organisation;
    const log = await service.call(readKey, 'GET', '/api/org/audit-log?action=sast.upload_report');
    expect(at(log.body, 'items.0')).toMatchObject({ device: 'node', ip: '127.0.0.1', session_id: null });
  });

  test('is accepted with 202 where the caller does not wait; the job then has the answer', async () => {
    const project = await newScannedProject(service);
    const accepted = await project.call('POST', reports, large(3), { prefer: 'wait=0' });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('preference-applied')).toBe('wait=0');
    const location = accepted.headers.get('location');
    expect(uploadJob.parse(accepted.body)).toMatchObject({ procedure: 'sast.uploadReport', answer: null });
    expect(location).toBe(`${project.path}/uploads/${uploadJob.parse(accepted.body).id}`);
    const job = await ended(project, location);
    expect(job).toMatchObject({ state: 'done', done: 3, of: 3, problem: null, answer: { findings: { new: 3 } } });
    expect(await project.codeJobs()).toMatchObject({ total: 1, items: [{ status: 'done', tool: 'Checker' }] });
  });

  test('is shown among the scan jobs until it is read, and when it has failed', async () => {
    const project = await newScannedProject(service);
    const broken = `{"version": "2.1.0", "padding": "${'x'.repeat(300 * 1024)}"}`;
    const accepted = await project.call('POST', reports, broken, { prefer: 'wait=0' });
    const { id } = uploadJob.parse(accepted.body);
    const [shown] = (await project.codeJobs()).items;
    expect(shown).toMatchObject({ id, source_repo: 'https://example.com/shop' });
    const job = await ended(project, accepted.headers.get('location'));
    expect(job).toMatchObject({ state: 'failed', answer: null, problem: { status: 422, code: 'invalid_input' } });
    expect(await project.codeJobs()).toMatchObject({ total: 1, items: [{ id, status: 'failed' }] });
    const again = await project.call('POST', reports, broken);
    expect(again).toMatchObject({ status: 422, body: { errors: job.problem?.errors } });
  });

  test('of images is shown with its state among the uploads of the project', async () => {
    const project = await newScannedProject(service);
    const broken = { padding: 'x'.repeat(300 * 1024) };
    const answer = await project.call('POST', '/containers/reports', broken);
    expect(answer.status).toBe(422);
    await project.call('POST', reports, large(1));
    const list = (query: string) => project.call('GET', `/uploads${query}`);
    expect(await list('')).toMatchObject({
      status: 200,
      body: {
        total: 2,
        items: [
          { procedure: 'sast.uploadReport', state: 'done' },
          { procedure: 'containers.uploadReport', state: 'failed', problem: { status: 422 } },
        ],
      },
    });
    expect(await list('?state=failed')).toMatchObject({ body: { total: 1 } });
    expect(await list('?state=running')).toMatchObject({ body: { total: 0 } });
  });

  test('may be a small gzip of much', async () => {
    const project = await newScannedProject(service);
    const body = gzipSync(JSON.stringify({ ...sarif(run([result(1)])), properties: ' '.repeat(60 * 1024 * 1024) }));
    expect(body.length).toBeLessThan(100 * 1024);
    expect(await project.call('POST', reports, body)).toMatchObject({ status: 200, body: { receipt: { taken: 1 } } });
    expect(await jobsOf(project)).toHaveLength(1);
  });

  test('of a project that does not exist is 404, without a job', async () => {
    const project = await newScannedProject(service);
    const answer = await service.call(project.key, 'POST', `/api/projects/none${reports}`, large(1));
    expect(answer).toMatchObject({ status: 404, body: { resource: 'project' } });
    expect(await jobsOf(project)).toEqual([]);
    expect(await readdir(service.uploadsFolder)).toEqual([]);
  });

  test('is not shown to another organisation, nor by another project', async () => {
    const [project, other] = [await newScannedProject(service), await newScannedProject(service)];
    await project.call('POST', reports, large(1));
    const [job] = await jobsOf(project);
    for (const path of [`${project.path}/uploads/${job?.id}`, `${other.path}/uploads/${job?.id}`]) {
      expect((await service.call(other.key, 'GET', path)).status).toBe(404);
    }
  });
});

describe('a large report with an Idempotency-Key', () => {
  test('is one job, however often it is sent', async () => {
    const project = await newScannedProject(service);
    const headers = { 'idempotency-key': 'once' };
    const both = await Promise.all([large(2), large(2)].map((body) => project.call('POST', reports, body, headers)));
    const third = await project.call('POST', reports, large(2), headers);
    for (const { status, body } of [...both, third]) expect([status, body]).toEqual([200, both[0]?.body]);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(await jobsOf(project)).toHaveLength(1);
  });

  test('is refused where the key was of another request', async () => {
    const project = await newScannedProject(service);
    const headers = { 'idempotency-key': 'other' };
    await project.call('POST', reports, large(1), headers);
    const answer = await project.call('POST', reports, large(1, 'y'), headers);
    expect(answer).toMatchObject({ status: 409, body: { reason: 'idempotency_key_reused' } });
  });
});

test('a job whose process has ended is failed, and is to be sent again', async () => {
  const project = await newScannedProject(service);
  const past = new Date(Date.now() - 600_000);
  await service.database.system((tx) =>
    tx
      .insertInto('uploads')
      .values({
        ...{ organisation_id: project.organisation.id, id: 'upl_1', project_id: project.projectId },
        ...{ procedure: 'sast.uploadReport', state: 'running', phase: 'writing', done: 2, steps: 3 },
        ...{ instance: 'ended', lease_until: past, received_at: past, started_at: past },
      })
      .execute(),
  );
  await service.uploads.begin();
  expect(await ended(project, `${project.path}/uploads/upl_1`)).toMatchObject({
    state: 'failed',
    problem: { status: 503, detail: 'interrupted: upload it again' },
  });
});
