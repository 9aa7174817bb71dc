import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { get, loadRecords, newProject, record, track, unique } from './organisation.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a project’s packages at risk, by name; healthy and unknown ones are left out', async () => {
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'one');
  const [base, ecosystem] = [randomUUID(), 'crates.io'];
  const [abandoned, healthy, malware] = [`a-${base}`, `b-${base}`, `m-${base}`];
  for (const name of [malware, healthy, abandoned])
    await track(service, organisation, project, { ecosystem, name, version: '1.0.0' });
  await track(service, organisation, project, { ecosystem, name: malware, version: '3.0.0' });
  await service.call(organisation.writeKey, 'POST', `/api/projects/${project}/tech-stack/sync`, {
    source: 'package-lock.json',
    packages: [{ ecosystem: 'npm', name: `d-${base}`, version: '1.0.0', direct: true, deprecated: 'use another' }],
  });
  const neglect = [{ package: { ecosystem, name: abandoned }, database_specific: { informational: 'unmaintained' } }];
  await loadRecords(
    service,
    record(`RUSTSEC-${base}`, abandoned, { affected: neglect }),
    record(`MAL-${base}`, malware, {}, ecosystem),
    record(`V-${base}`, healthy, {}, ecosystem),
  );

  const { status, body } = await get(service, organisation, `/api/projects/${project}/package-health`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    total: 3,
    items: [
      { name: abandoned, ecosystem, version: '1.0.0', health: { unmaintained_since: '2025-01-01', malicious: false } },
      { name: `d-${base}`, direct: true, health: { deprecated: 'use another', source: 'package-lock.json' } },
      { name: malware, version: '1.0.0', health: { malicious: true, source: `MAL-${base}` } },
    ],
  });
  const second = await get(service, organisation, `/api/projects/${project}/package-health?page=2&page_size=2`);
  expect([at(second.body, 'items.0.name'), at(second.body, 'has_more')]).toEqual([malware, false]);
});

test('another organisation’s project is not found', async () => {
  const [organisation, stranger] = [await service.newOrganisation(), await service.newOrganisation()];
  const project = await newProject(service, stranger, unique.name());
  const { status, body } = await get(service, organisation, `/api/projects/${project}/package-health`);
  expect([status, body]).toMatchObject([404, { resource: 'project' }]);
});
