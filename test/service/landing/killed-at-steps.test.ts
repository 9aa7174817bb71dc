import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { uploads } from '../../../src/procedures/uploads.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { tidyLandings } from '../../../src/service/landing/upkeep.js';
import { textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { range, sarif } from './code-reports.js';
import { heldSteps, installHolds, isHeldAt, letGo } from './held-steps.js';
import { expireLeases, largeReport, readFindings } from './killed-upload.js';
import { newProgramSetting, type ProgramSetting, startAsked } from './running-program.js';

test('kill -9 at each step of an upload leaves the old state before it shows, and the new one after', {
  timeout: 600_000,
}, async () => {
  const setting = await newProgramSetting();
  await installHolds(setting);
  let running = await startAsked(setting);
  for (const step of heldSteps) {
    const { call } = running;
    const projectId = textAt((await call('POST', '/api/projects', { name: `${step}, later` })).body, 'id');
    const path = `/api/projects/${projectId}/sast/reports?source_repo=shop`;
    expect((await call('POST', path, sarif(range(0, 300)))).status).toBe(200);
    expect((await call('PATCH', `/api/projects/${projectId}`, { name: step })).status).toBe(200);
    const before = await readFindings(running, projectId);
    // The embedded database answers nobody while it is held.
    const sent = call('POST', path, largeReport(100, 500), { prefer: 'wait=0' }).catch(() => null);
    await isHeldAt(setting, step);
    running.program.kill('SIGKILL');
    await running.program.ended;
    await sent;
    await letGo(setting, step);
    await expireLeases(setting);
    running = await startAsked(setting, running.session);
    const hasLanded = step === 'after it shows';
    const after = await readFindings(running, projectId);
    if (hasLanded) expect(after.total, step).toBe(400);
    else expect(after, step).toEqual(before);
    const job = await eventually(async () => {
      const { body } = await running.call('GET', `/api/projects/${projectId}/uploads`);
      const [newest] = uploads.list.output.parse(body).items;
      expect(newest?.state).toMatch(/done|failed/);
      return newest;
    });
    expect(job, step).toMatchObject(
      hasLanded ? { state: 'done' } : { state: 'failed', problem: { detail: 'interrupted: upload it again' } },
    );
    expect((await running.call('POST', path, largeReport(100, 500))).status, step).toBe(200);
    expect((await readFindings(running, projectId)).total, step).toBe(400);
  }
  running.program.kill('SIGTERM');
  expect(await running.program.ended).toBe(0);
  // 500 of each project, 100 of them no longer open.
  expect(await storedFindings(setting)).toEqual({ sets: '0', marked: '0', findings: String(heldSteps.length * 500) });
});

/** What the database holds once all is tidied. */
async function storedFindings({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }: ProgramSetting) {
  const database = await openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  try {
    await tidyLandings(database);
    const { rows } = await database.system((tx) =>
      sql`select (select count(*)::text from change_sets) as sets, count(*)::text as findings,
        count(*) filter (where removed_in <> 0)::text as marked from findings`.execute(tx),
    );
    return rows[0];
  } finally {
    await database.close();
  }
}
