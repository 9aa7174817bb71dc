import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { uploadJob, uploads } from '../../../src/procedures/uploads.js';
import { startPosternProgram } from '../../bin/running-postern.js';
import { at, textAt } from '../../support/at.js';
import { callerOf } from '../../support/service.js';
import { largeReport } from '../landing/killed-upload.js';
import { newProgramSetting, startAsked } from '../landing/running-program.js';

const repos = ['one', 'two', 'three', 'four'];

test('a stop is orderly with uploads done, under way and waiting, and each says afterwards what became of it', {
  timeout: 600_000,
}, async () => {
  const setting = await newProgramSetting();
  const { session, program, call } = await startAsked(setting);
  const projectId = textAt((await call('POST', '/api/projects', { name: 'shop' })).body, 'id');
  const project = `/api/projects/${projectId}`;
  const report = largeReport(0, 400);
  const send = (ask: typeof call, repo: string, headers = {}) =>
    ask('POST', `${project}/sast/reports?source_repo=${repo}`, report, headers);
  expect((await send(call, 'zero')).status).toBe(200);
  // The process that did it waits for another upload.
  program.kill('SIGTERM');
  expect(await program.ended, program.stderr()).toBe(0);

  const second = startPosternProgram({ ...setting, UPLOAD_WORKERS: '1', DRAIN_SECONDS: '0' });
  const ask = callerOf(await second.ready());
  const asMember: typeof call = (...args) => ask(session, ...args);
  const ids: string[] = [];
  for (const repo of repos) {
    const { status, body } = await send(asMember, repo, { prefer: 'wait=0' });
    expect(status).toBe(202);
    ids.push(uploadJob.parse(body).id);
  }
  second.kill('SIGTERM');
  expect(await second.ended, second.stderr()).toBe(0);
  // Bodies that nobody reads any more would fill the disk.
  expect(await readdir(path.join(setting.DATA_DIR, 'uploads'))).toEqual([]);

  const last = await startAsked(setting, session);
  const { items } = uploads.list.output.parse((await last.call('GET', `${project}/uploads`)).body);
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  // One process does one at a time, so those behind it never began.
  expect(items.filter(({ state }) => state === 'failed').length).toBeGreaterThan(0);
  for (const [place, repo] of repos.entries()) {
    const job = items.find(({ id }) => id === ids[place]);
    const found = async () =>
      at((await last.call('GET', `${project}/sast/findings?source_repo=${repo}`)).body, 'total');
    if (job?.state === 'failed') {
      expect(job.problem?.detail).toBe('interrupted: upload it again');
      expect(await found()).toBe(0);
      expect(await send(last.call, repo)).toMatchObject({ status: 200 });
    } else expect(job?.state).toBe('done');
    expect(await found()).toBe(400);
  }
});
