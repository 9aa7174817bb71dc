import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { uploads } from '../../../src/procedures/uploads.js';
import type { Database } from '../../../src/service/db/database.js';
import { eventually } from '../../support/eventually.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { startJob } from '../../support/start-job.js';
import { newScannedProject } from '../findings/scanned-project.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

test('failures that the database did not take are kept when it does again, each by itself, and not when their leases have run out', async () => {
  const project = await newScannedProject(service);
  const { stop } = startJob(database, { ...service.uploads.upkeep(), close: async () => {} });
  onTestFinished(stop);
  await database.system(async (tx) => {
    await sql`create function refuse_failures() returns trigger language plpgsql as $$
      begin raise exception 'the database is away'; end $$`.execute(tx);
    await sql`create trigger refuse_failures before update on uploads for each row when (new.state = 'failed')
      execute function refuse_failures()`.execute(tx);
  });
  const report = JSON.stringify({ version: '2.1.0', runs: 'no list', properties: { padding: 'x'.repeat(300 * 1024) } });
  const reports = '/sast/reports?source_repo=https://example.com/shop';
  const ids: string[] = [];
  const jobs = async () => {
    const path = `/api/projects/${project.projectId}/uploads`;
    return uploads.list.output.parse((await service.call(project.key, 'GET', path)).body).items;
  };
  for (const _ of ['first', 'second']) {
    expect((await project.call('POST', reports, report)).status).toBe(422);
    ids.push(...(await jobs()).map(({ id }) => id).filter((id) => !ids.includes(id)));
  }
  const [first = '', second = ''] = ids;
  const job = async (id: string) => (await jobs()).find((each) => each.id === id);
  const hasFailed = (id: string) =>
    eventually(async () => {
      const ended = await job(id);
      expect(ended?.state).toBe('failed');
      return ended;
    });
  for (const id of ids) expect((await job(id))?.state).toMatch(/queued|running/);
  await database.system(async (tx) => {
    await sql`drop trigger refuse_failures on uploads`.execute(tx);
    await sql`create trigger refuse_failures before update on uploads for each row
      when (new.state = 'failed' and new.id = ${sql.lit(first)}) execute function refuse_failures()`.execute(tx);
  });
  // One whose process is gone would have another problem.
  const problem = { problem: { status: 422, code: 'invalid_input' } };
  expect(await hasFailed(second)).toMatchObject(problem);
  expect((await job(first))?.state).toMatch(/queued|running/);
  await database.system((tx) => sql`drop function refuse_failures() cascade`.execute(tx));
  expect(await hasFailed(first)).toMatchObject(problem);
});
