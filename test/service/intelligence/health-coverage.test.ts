import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { loadCovering } from '../coverage/covering-feed.js';
import { get, newProject, record, track, unique } from './organisation.js';

let service: TestService;
let organisation: TestOrganisation;
const [clean, abandoned] = [unique.name(), unique.name()];
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  organisation = await service.newOrganisation();
  const neglect = {
    package: { ecosystem: 'npm', name: abandoned },
    database_specific: { informational: 'unmaintained' },
  };
  const records = [record(randomUUID(), clean), record(randomUUID(), abandoned, { affected: [neglect] })];
  await loadCovering(service.database, ['npm'], { records });
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

const project = () => newProject(service, organisation, unique.name());
const add = (id: string, ecosystem: string, name: string) =>
  track(service, organisation, id, { ecosystem, name, version: '3.0.0' });
const health = async (id: string) => (await get(service, organisation, `/api/projects/${id}/package-health`)).body;

test('an empty list of a project without packages is unknown', async () => {
  expect(await health(await project())).toMatchObject({
    total: 0,
    coverage: { status: 'unknown', feeds: [], known: false, gaps: ['the project has no packages'] },
  });
});

test('an empty list is a no only where every package is known, and its feed whole and fresh', async () => {
  const id = await project();
  await add(id, 'npm', clean);
  expect(await health(id)).toMatchObject({
    total: 0,
    coverage: {
      status: 'not_affected',
      domains: [{ domain: 'dependencies', status: 'not_affected' }],
      feeds: [{ ecosystem: 'npm', stale: false }],
      known: true,
      gaps: [],
    },
  });
  await add(id, 'npm', unique.name());
  await add(id, 'PyPI', unique.name());
  expect(await health(id)).toMatchObject({
    total: 0,
    coverage: {
      status: 'unknown',
      known: false,
      gaps: ['2 of 3 packages: no health record or advisory names them', 'no feed that is loaded has all of PyPI'],
    },
  });
});

test('a package at risk is said, whatever is not known of the others', async () => {
  const id = await project();
  await add(id, 'npm', abandoned);
  await add(id, 'npm', unique.name());
  expect(await health(id)).toMatchObject({ total: 1, coverage: { status: 'affected', known: false } });
});
