import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidyLandings } from '../../../src/service/landing/upkeep.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { range, readAll, reportsPath, sarif, stepped } from './code-reports.js';

let service: TestService;
let writing: TestService;
let afterStep = async () => {};
beforeAll(async () => {
  service = await startService();
  writing = await startService({ database: stepped(service.database, () => afterStep()), jwtKey: service.jwtKey });
});
afterAll(async () => {
  await writing.close();
  await service.close();
});

const maxSteps = 8;

test('a writer that lives but was silent for too long loses, and nothing of it is left', {
  timeout: 600_000,
}, async () => {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = reportsPath(projectId);
  expect((await service.call(key, 'POST', path, sarif(range(0, 150)))).status).toBe(200);
  await tidyLandings(service.database);
  const before = await readAll(service, key, projectId);
  for (let lostAt = 1; lostAt <= maxSteps; lostAt += 1) {
    let left = lostAt;
    afterStep = async () => {
      left -= 1;
      if (left !== 0) return;
      await service.database.system(async (tx) => {
        await sql`update change_sets set lease_until = now() - interval '1 hour'
          where organisation_id = ${organisation.id} and state <> 'landed'`.execute(tx);
      });
      // As another instance does every few seconds.
      await tidyLandings(service.database);
    };
    const { status, body } = await writing.call(key, 'POST', path, sarif(range(50, 250)));
    if (left > 0 || status === 200) {
      // It has landed before that step.
      expect(lostAt).toBeGreaterThan(3);
      break;
    }
    expect([status, body], `step ${lostAt}`).toMatchObject([503, { detail: expect.stringContaining('send it again') }]);
    expect(await readAll(service, key, projectId), `step ${lostAt}`).toEqual(before);
    const { rows } = await service.database.system((tx) =>
      sql`select id from findings where organisation_id = ${organisation.id} and (removed_in <> 0 or added_in in
        (select id from change_sets where organisation_id = ${organisation.id}))`.execute(tx),
    );
    expect(rows, `step ${lostAt}`).toEqual([]);
  }
  afterStep = async () => {};
});
