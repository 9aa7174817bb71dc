import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { loadRecords, newProject, record, track, unique } from '../intelligence/organisation.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ auditReads: true });
});
afterAll(() => service.close());

async function revisions(key: string, asked: Record<string, string>) {
  const { status, body } = await service.call(key, 'GET', `/api/posture/revisions?${new URLSearchParams(asked)}`);
  expect(status).toBe(200);
  const byId = (rows: unknown) => Object.fromEntries([rows].flat().map((row) => [at(row, 'id'), at(row, 'revision')]));
  return { posture: at(body, 'posture'), projects: byId(at(body, 'projects')), alerts: byId(at(body, 'alerts')) };
}

/** A project with an alert, and one beside it. */
async function world(organisation: TestOrganisation) {
  const [shop, other] = [
    await newProject(service, organisation, 'shop'),
    await newProject(service, organisation, 'other'),
  ];
  const name = unique.name();
  await track(service, organisation, shop, { ecosystem: 'npm', name, version: '1.0.0' });
  await loadRecords(service, record(randomUUID(), name));
  const { body } = await service.call(organisation.readKey, 'GET', `/api/projects/${shop}/alerts`);
  const alert = textAt(body, 'items.0.id');
  const asked = { projects: `${shop},${other}`, alerts: alert };
  return { shop, other, alert, now: () => revisions(organisation.readKey, asked) };
}

test('they are the same until something changes, and then differ for what has changed alone', async () => {
  const organisation = await service.newOrganisation();
  const { shop, other, alert, now } = await world(organisation);
  const first = await now();
  expect(await now()).toEqual(first);
  const acknowledge = `/api/projects/${shop}/alerts/${alert}/acknowledge`;
  await service.call(organisation.writeKey, 'POST', acknowledge, { note: 'seen' });
  const second = await now();
  for (const changed of ['posture', `projects.${shop}`, `alerts.${alert}`])
    expect(at(second, changed)).not.toBe(at(first, changed));
  expect(at(second, `projects.${other}`)).toBe(at(first, `projects.${other}`));

  // A scan that finds nothing changes what is known.
  const report = `/api/projects/${other}/sast/reports?source_repo=other`;
  await service.call(organisation.writeKey, 'POST', report, sarif(run([])));
  const third = await now();
  for (const changed of ['posture', `projects.${other}`]) expect(at(third, changed)).not.toBe(at(second, changed));
  for (const same of [`projects.${shop}`, `alerts.${alert}`]) expect(at(third, same)).toBe(at(second, same));
});

test('what belongs to others has none, and changes none', async () => {
  const [ours, theirs] = [await service.newOrganisation(), await service.newOrganisation()];
  const [own, strange] = [await world(ours), await world(theirs)];
  const asked = { projects: `${own.shop},${strange.shop},prj_none`, alerts: `${own.alert},${strange.alert}` };
  const before = await revisions(ours.readKey, asked);
  expect(before).toMatchObject({
    projects: { [own.shop]: expect.any(String) },
    alerts: { [own.alert]: expect.any(String) },
  });
  expect([Object.keys(Object(at(before, 'projects'))), Object.keys(Object(at(before, 'alerts')))]).toEqual([
    [own.shop],
    [own.alert],
  ]);
  const report = `/api/projects/${strange.shop}/sast/reports?source_repo=theirs`;
  await service.call(theirs.writeKey, 'POST', report, sarif(run([result(1)])));
  expect(await revisions(ours.readKey, asked)).toEqual(before);
});

test('to a key that is bound to one project, another one is as if it were not there', async () => {
  const organisation = await service.newOrganisation();
  const { shop, other, alert } = await world(organisation);
  const bound = { name: 'bound', scope: 'ReadOnly', project_ids: [other] };
  const { body } = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', bound);
  const asked = { projects: `${shop},${other}`, alerts: alert };
  const before = await revisions(textAt(body, 'key'), asked);
  expect([Object.keys(Object(at(before, 'projects'))), at(before, 'alerts')]).toEqual([[other], {}]);
  const report = `/api/projects/${shop}/sast/reports?source_repo=shop`;
  await service.call(organisation.writeKey, 'POST', report, sarif(run([result(1)])));
  expect(await revisions(textAt(body, 'key'), asked)).toEqual(before);
});

test('asking again and again leaves nothing in the audit log', async () => {
  const organisation = await service.newOrganisation();
  await revisions(organisation.readKey, {});
  await service.call(organisation.readKey, 'GET', '/api/projects');
  const { body } = await service.call(organisation.admin.session, 'GET', '/api/org/audit-log');
  const actions = [at(body, 'items')].flat().map((row) => at(row, 'action'));
  expect(actions).toEqual(['projects.list']);
});

test('what is no list of ids is refused', async () => {
  const { readKey } = await service.newOrganisation();
  const { status, body } = await service.call(readKey, 'GET', '/api/posture/revisions?projects=a,,b');
  expect([status, at(body, 'errors.0.field')]).toEqual([422, 'projects']);
});
