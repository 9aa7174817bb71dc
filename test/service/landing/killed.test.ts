import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { uploadJob } from '../../../src/procedures/uploads.js';
import { at, textAt } from '../../support/at.js';
import { kind } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { expireLeases, largeReport, readFindings } from './killed-upload.js';
import { type AskedProgram, newProgramSetting, startAsked } from './running-program.js';

const rounds = 4;

test('kill -9 at any moment of an upload leaves the old state or the new one', { timeout: 900_000 }, async () => {
  const setting = await newProgramSetting();
  let running = await startAsked(setting);
  const { session } = running;
  const made = await running.call('POST', '/api/projects', { name: 'shop' });
  const projectId = textAt(made.body, 'id');
  const path = `/api/projects/${projectId}/sast/reports?source_repo=shop`;
  const upload = (body: unknown, headers = {}) => running.call('POST', path, body, headers);
  const start = async () => {
    await expireLeases(setting);
    running = await startAsked(setting, session);
  };
  expect((await upload(largeReport(0, 300))).status).toBe(200);
  const begun = performance.now();
  expect((await upload(largeReport(100, 1500))).status).toBe(200);
  const whole = performance.now() - begun;
  let interrupted = 0;
  for (let round = 0; round < rounds; round += 1) {
    expect((await upload(largeReport(0, 300))).status, `round ${round}`).toBe(200);
    const before = await readFindings(running, projectId);
    expect(before.total).toBe(300);
    const accepted = await upload(largeReport(100, 1500 + round), { prefer: 'wait=0' });
    expect(accepted.status).toBe(202);
    await setTimeout((whole * (round + 0.5)) / rounds);
    running.program.kill('SIGKILL');
    await running.program.ended;
    await start();
    if (round === 2) {
      // While it takes back what there was.
      running.program.kill('SIGKILL');
      await running.program.ended;
      await start();
    }
    const after = await readFindings(running, projectId);
    const isNew = after.total === 1400 + round;
    if (!isNew) {
      interrupted += 1;
      expect(after, `round ${round}`).toEqual(before);
    }
    const { id } = uploadJob.parse(accepted.body);
    const ended = await eventually(async () => {
      const job = uploadJob.parse((await running.call('GET', `/api/projects/${projectId}/uploads/${id}`)).body);
      expect(job.state).toMatch(/done|failed/);
      return job;
    });
    expect(ended.state, `round ${round}`).toBe(isNew ? 'done' : 'failed');
    if (!isNew) expect(ended.problem?.detail).toBe('interrupted: upload it again');
  }
  // At once: the lease that is left would last a minute.
  const [last, late] = [upload(largeReport(0, 200)), setTimeout(45_000, null, { ref: false })];
  expect(await Promise.race([last, late])).toMatchObject({ status: 200 });
  expect((await readFindings(running, projectId)).total).toBe(200);
  expect(interrupted).toBeGreaterThan(0);
});

test.runIf(kind === 'postgres')('two instances land one upload each in one project', async () => {
  const setting = await newProgramSetting();
  const first = await startAsked(setting);
  const second = await startAsked(
    { ...(await newProgramSetting()), DATABASE_URL: setting.DATABASE_URL ?? '' },
    first.session,
  );
  const projectId = textAt((await first.call('POST', '/api/projects', { name: 'shop' })).body, 'id');
  const upload = ({ call }: AskedProgram, repo: string, body: unknown) =>
    call('POST', `/api/projects/${projectId}/sast/reports?source_repo=${repo}`, body);
  const both = await Promise.all([
    upload(first, 'one', largeReport(0, 900)),
    upload(second, 'two', largeReport(0, 800)),
  ]);
  expect(both).toMatchObject([
    { status: 200, body: { findings: { new: 900 } } },
    { status: 200, body: { findings: { new: 800 } } },
  ]);
  expect((await readFindings(second, projectId)).total).toBe(1700);
  // The other one is killed: this one goes on when the lease has run out.
  const sent = upload(second, 'two', largeReport(0, 1500)).catch(() => null);
  await eventually(async () => {
    const { body } = await first.call('GET', `/api/projects/${projectId}/sast/scan-jobs`);
    expect(at(body, 'items.0.status')).toBe('running');
  });
  second.program.kill('SIGKILL');
  await sent;
  await expireLeases(setting);
  expect(await upload(first, 'one', largeReport(0, 100))).toMatchObject({
    status: 200,
    body: { findings: { fixed: 800 } },
  });
});
