import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import { reachability } from '../../../src/procedures/reachability.js';
import type { Database } from '../../../src/service/db/database.js';
import { type FirstRun, firstRun } from '../../../src/service/sample/first-run.js';
import { verdictBands } from '../../../src/verdict/band.js';
import { usages } from '../../../src/verdict/formula.js';
import { at, startService, type TestService, textAt } from '../../support/service.js';
import { ownDatabase } from '../feeds/own-database.js';

let database: Database;
let service: TestService;
let dataDir: string;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
  dataDir = await mkdtemp(join(tmpdir(), 'postern-first-run-'));
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

describe('the first run', () => {
  let first: FirstRun;
  beforeAll(async () => {
    const made = await firstRun({ database, dataDir, url: service.url, sample: true });
    if (made === null) throw new Error('the database is not empty');
    first = made;
  });

  test('keeps its credentials in a file that its owner alone can read', async () => {
    const path = join(dataDir, 'first-run.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(first);
  });

  test('gives credentials that work, each for what it may do', async () => {
    const session = await service.call(null, 'POST', '/api/session', first.admin);
    const list = await service.call(textAt(session.body, 'token'), 'GET', '/api/org/api-keys');
    expect(list).toMatchObject({ status: 200, body: { total: 2 } });
    const create = (key: string | undefined) => service.call(key ?? null, 'POST', '/api/projects', { name: 'Another' });
    expect((await create(first.keys?.read_only)).status).toBe(403);
    expect((await create(first.keys?.read_write)).status).toBe(200);
  });

  test('shows all tiers, states, bands and kinds of usage, and an override', async () => {
    const key = first.keys?.read_only ?? null;
    const projects = await service.call(key, 'GET', '/api/projects');
    const ids = [at(projects.body, 'items')].flat().map((project) => textAt(project, 'id'));
    const told = await Promise.all(
      ids.map((id) => service.call(key, 'GET', `/api/projects/${id}/alerts?page_size=100`)),
    );
    const items = told.flatMap(({ body }) => alerts.list.output.parse(body).items);
    expect(new Set(items.map(({ tier }) => tier))).toEqual(new Set(['RED', 'YELLOW', 'GREEN']));
    expect(new Set(items.map(({ band }) => band))).toEqual(new Set([...verdictBands, 'unanalyzed']));
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['open', 'acknowledged']));
    const { body } = await service.call(
      key,
      'GET',
      `/api/projects/${first.project_id}/reachability/verdicts?page_size=100`,
    );
    const verdicts = reachability.listVerdicts.output.parse(body).items;
    expect(new Set(verdicts.map(({ evidence }) => evidence.usage.class))).toEqual(new Set(usages));
    expect(verdicts.filter(({ override }) => override !== null)).toHaveLength(1);
  });

  test('is one: a second start makes nothing', async () => {
    expect(await firstRun({ database, dataDir, url: service.url, sample: true })).toBeNull();
  });
});

test('without the sample there is an organisation with an admin, and nothing else', async () => {
  const empty = await ownDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'postern-first-run-'));
  const bare = await startService({ database: empty });
  try {
    const first = await firstRun({ database: empty, dataDir: folder, url: bare.url, sample: false });
    expect(Object.keys(first ?? {})).toEqual(['url', 'admin']);
    const session = await bare.call(null, 'POST', '/api/session', first?.admin);
    const token = textAt(session.body, 'token');
    expect(await bare.call(token, 'GET', '/api/projects')).toMatchObject({ body: { total: 0 } });
    expect(await bare.call(token, 'GET', '/api/org/members')).toMatchObject({ body: { total: 1 } });
  } finally {
    await bare.close();
    await empty.close();
    await rm(folder, { recursive: true });
  }
});
