import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAboutCve } from '../../../src/service/alerts/about-cve.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { get, loadRecords, newProject, record, track, unique } from './organisation.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const names = (body: unknown) => [at(body, 'items')].flat().map((row) => at(row, 'project_name'));

test('every project with an alert for the CVE, resolved ones last, by name, and of no other organisation', async () => {
  const [organisation, stranger] = [await service.newOrganisation(), await service.newOrganisation()];
  const [name, cve] = [unique.name(), unique.cve()];
  const projects = new Map<string, string>();
  for (const project of ['Beta', 'alpha', 'fixed', 'unaffected'])
    projects.set(project, await newProject(service, organisation, project));
  const idOf = (project: string) => projects.get(project) ?? '';
  const old = { ecosystem: 'npm', name, version: '1.0.0' };
  await track(service, organisation, idOf('Beta'), old);
  await track(service, organisation, idOf('alpha'), old);
  const item = await track(service, organisation, idOf('fixed'), old);
  await track(service, organisation, idOf('unaffected'), { ...old, version: '2.0.0' });
  await track(service, stranger, await newProject(service, stranger, 'theirs'), old);

  const { alerts } = await loadRecords(service, record(randomUUID(), name, { aliases: [cve] }));
  expect(alerts).toEqual({ opened: 4, reopened: 0, resolved: 0, updated: 0 });
  await service.call(organisation.writeKey, 'DELETE', `/api/projects/${idOf('fixed')}/tech-stack/${item}`);

  const { status, body } = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}`);
  expect(status).toBe(200);
  expect(names(body)).toEqual(['alpha', 'Beta', 'fixed']);
  expect(at(body, 'items.0')).toMatchObject({
    project_id: idOf('alpha'),
    package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` },
    versions: ['1.0.0'],
    tier: 'YELLOW',
    status: 'open',
  });
  expect(at(body, 'items.2')).toMatchObject({ status: 'resolved' });

  const second = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}&page=2&page_size=2`);
  expect(second.body).toMatchObject({ items: [{ project_name: 'fixed' }], total: 3, has_more: false, page: 2 });
});

test('no project is exposed to a CVE that nobody has', async () => {
  const organisation = await service.newOrganisation();
  const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${unique.cve()}`);
  expect(body).toMatchObject({ items: [], total: 0, has_more: false });
});

test('what is no CVE is refused', async () => {
  const organisation = await service.newOrganisation();
  const { status, body } = await get(service, organisation, '/api/intelligence/exposed?cve=GHSA-1');
  expect([status, body]).toMatchObject([422, { errors: [{ field: 'cve' }] }]);
});

test('among 20,000 alerts a CVE’s are found by an index, under row-level security', async () => {
  const organisation = await service.newOrganisation();
  const projectId = await newProject(service, organisation, 'large');
  const prefix = unique.cve();
  const plan = await service.database
    .system(async (tx) => {
      await sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, turns)
      select ${organisation.id}, ${projectId}, ${projectId} || n, ${prefix} || n, 'npm', 'any', '{any}',
        array[${prefix} || n], 'any', '{}', false, 'GREEN', turn('{}', now())
      from generate_series(1, 20000) n`.execute(tx);
      await sql`analyze alerts`.execute(tx);
    })
    .then(() =>
      service.database.tenant(organisation.id, (tx) =>
        tx
          .selectFrom('alerts')
          .selectAll()
          .where('alerts.organisation_id', '=', organisation.id)
          .where(isAboutCve(`${prefix}7`))
          .explain(),
      ),
    );
  expect(JSON.stringify(plan)).toContain('alerts_by_vulnerability');
  const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${prefix}7`);
  expect(body).toMatchObject({ total: 1, items: [{ project_name: 'large' }] });
});
