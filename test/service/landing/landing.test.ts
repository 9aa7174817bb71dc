import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sast } from '../../../src/procedures/sast.js';
import { tidyLandings } from '../../../src/service/landing/upkeep.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { range, readAll, reportsPath, sarif, stepped } from './code-reports.js';

let service: TestService;
let writing: TestService;
let afterStep = async () => {};
beforeAll(async () => {
  service = await startService();
  writing = await startService({
    database: stepped(service.database, () => afterStep()),
    jwtKey: service.jwtKey,
  });
});
afterAll(async () => {
  await writing.close();
  await service.close();
});

/** A project with findings 0 to 250, and an upload of 60 to 320, of which those up to 99 are worse than before. */
async function scannedProject() {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = reportsPath(projectId);
  expect((await service.call(key, 'POST', path, sarif(range(0, 250)))).status).toBe(200);
  const [worse, same] = [sarif(range(60, 100), 'error').runs, sarif(range(100, 320)).runs];
  const results = [...worse, ...same].flatMap((run) => run.results);
  const next = { version: '2.1.0', runs: [{ tool: { driver: { name: 'checker' } }, results }] };
  return {
    organisation,
    read: () => readAll(service, key, projectId),
    upload: (more: object = {}) => writing.call(key, 'POST', path, { ...next, properties: more }),
    /** Each row's version in the database. */
    versions: () =>
      service.database.system((tx) =>
        tx
          .selectFrom('findings')
          .select(['id', sql<string>`xmin::text`.as('version')])
          .where('organisation_id', '=', organisation.id)
          .orderBy('id')
          .execute(),
      ),
    async lastSeen() {
      const timeOf = async (state: string) => {
        const { body } = await service.call(key, 'GET', `/api/projects/${projectId}/sast/findings?state=${state}`);
        return sast.listFindings.output.parse(body).items[0]?.last_seen_at ?? new Date(0);
      };
      return { open: (await timeOf('open')).toISOString(), fixed: (await timeOf('fixed')).toISOString() };
    },
    /** What the database holds of the organisation, for nobody to see. */
    leftOvers: () =>
      service.database.system(async (tx) => {
        const { rows } = await sql<Record<string, number>>`
          select (select count(*) from change_sets where organisation_id = ${organisation.id}) as sets,
            (select count(*) from findings where organisation_id = ${organisation.id} and removed_in <> 0) as removed,
            (select count(*) from findings where organisation_id = ${organisation.id}) as findings,
            (select count(*) from finding_names where organisation_id = ${organisation.id}) as names,
            (select count(*) from posture_counts where organisation_id = ${organisation.id} and change_set <> 0) as counts,
            (select count(*) from posture_days where organisation_id = ${organisation.id} and change_set <> 0) as days`.execute(
          tx,
        );
        return rows[0];
      }),
  };
}

test('nobody sees anything of an upload before its last step, and everything after it', {
  timeout: 600_000,
}, async () => {
  const project = await scannedProject();
  const before = await project.read();
  const seen: unknown[] = [];
  afterStep = async () => {
    seen.push(await project.read());
  };
  const { status, body } = await project.upload();
  afterStep = async () => {};
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ findings: { total: 260, new: 70, fixed: 60, unchanged: 190 }, tiers: {} });
  expect(seen.length).toBeGreaterThan(5);
  const last = seen.pop();
  for (const each of seen) expect(each).toEqual(before);
  expect(last).not.toEqual(before);
  expect(await project.read()).toEqual(last);
  await tidyLandings(service.database);
  expect(await project.read()).toEqual(last);
  expect(await project.leftOvers()).toMatchObject({ sets: 0, removed: 0, findings: 320, counts: 0, days: 0 });
});

test('an upload that fails after any of its steps leaves what was there', { timeout: 600_000 }, async () => {
  const project = await scannedProject();
  await tidyLandings(service.database);
  const [before, stored] = [await project.read(), await project.leftOvers()];
  for (let failing = 1; ; failing += 1) {
    let left = failing;
    afterStep = async () => {
      left -= 1;
      if (left === 0) throw new Error('a step fails');
    };
    const { status } = await project.upload();
    const after = await project.read();
    // After the last step it has landed, whatever fails then.
    if (status === 200 || JSON.stringify(after) !== JSON.stringify(before)) {
      expect(failing).toBeGreaterThan(5);
      break;
    }
    expect(after, `step ${failing}`).toEqual(before);
    expect(await project.leftOvers(), `step ${failing}`).toEqual(stored);
  }
  afterStep = async () => {};
});

test('an upload that says the same changes no row, and confirms when the findings were last seen', async () => {
  const project = await scannedProject();
  expect((await project.upload()).status).toBe(200);
  await tidyLandings(service.database);
  const [rows, seen] = [await project.versions(), await project.lastSeen()];
  const { body } = await project.upload({ again: true });
  expect(body).toMatchObject({ duplicate: false, findings: { new: 0, fixed: 0, reopened: 0, unchanged: 260 } });
  expect(rows).toHaveLength(320);
  expect(await project.versions()).toEqual(rows);
  const now = await project.lastSeen();
  expect(now.open > seen.open).toBe(true);
  expect(now.fixed).toBe(seen.fixed);
});
