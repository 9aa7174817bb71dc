import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

let organisation: TestOrganisation;
/** In the group Web, which is in Shops; in no group. */
let [inside, outside] = ['', ''];
let webhookId: string;

beforeEach(async () => {
  organisation = await service.newOrganisation();
  const { session } = organisation.admin;
  [inside, outside] = [await newProject(service, organisation), await newProject(service, organisation)];
  await ok(session, 'POST', '/api/groups', { name: 'Shops' });
  await ok(session, 'POST', '/api/groups', { name: 'Web', parent: 'Shops' });
  await ok(session, 'POST', '/api/groups/assign', { group: 'Web', project_ids: [inside] });
  webhookId = textAt(
    await ok(organisation.writeKey, 'POST', '/api/webhooks', { ...hook, group: 'shops' }),
    'webhook.id',
  );
});

const hook = { kind: 'generic', name: 'Of shops', url: 'https://hooks.example.com/x', events: ['scan.finished'] };

async function ok(credential: string, method: string, path: string, body?: unknown) {
  const answer = await service.call(credential, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

const call = (method: string, path: string, body?: unknown) => service.call(organisation.writeKey, method, path, body);
const items = (body: unknown) => [at(body, 'items')].flat();
const namesIn = async (query: string) =>
  items((await call('GET', `/api/webhooks?${query}`)).body).map((row) => at(row, 'name'));

async function boundKey(projectId: string): Promise<string> {
  const body = { name: 'bound', scope: 'ReadWrite', project_ids: [projectId] };
  return textAt(await ok(organisation.admin.session, 'POST', '/api/org/api-keys', body), 'key');
}

/** Uploads a scan; answers the projects that the webhook was told of so far. */
async function toldAfterScan(projectId: string, key = organisation.writeKey) {
  const repo = `source_repo=https://example.com/${projectId}`;
  await ok(key, 'POST', `/api/projects/${projectId}/sast/reports?${repo}`, sarif(run([result(1)])));
  const deliveries = await service.database.system((tx) =>
    tx.selectFrom('webhook_deliveries').select('payload').where('webhook_id', '=', webhookId).execute(),
  );
  return deliveries.map(({ payload }) => at(payload, 'data.project.id'));
}

test('the webhook of a group is told of what happens in its projects and in those of the groups in it', async () => {
  expect(await toldAfterScan(inside)).toEqual([inside]);
  expect(await toldAfterScan(outside)).toEqual([inside]);
  await ok(organisation.admin.session, 'POST', '/api/groups/assign', { group: 'Shops', project_ids: [outside] });
  expect(await toldAfterScan(outside)).toEqual([inside]);
  await ok(
    organisation.writeKey,
    'POST',
    `/api/projects/${outside}/sast/reports?source_repo=https://example.com/2`,
    sarif(run([result(2)])),
  );
  expect((await toldAfterScan(outside)).sort()).toEqual([inside, outside].sort());
});

test('also by a key that is bound to one project, which neither sees nor adds such a webhook', async () => {
  const key = await boundKey(inside);
  expect(await toldAfterScan(inside, key)).toEqual([inside]);
  expect(items(await ok(key, 'GET', '/api/webhooks'))).toEqual([]);
  expect((await service.call(key, 'GET', `/api/webhooks/${webhookId}/deliveries`)).status).toBe(404);
  expect((await service.call(key, 'DELETE', `/api/webhooks/${webhookId}`)).status).toBe(404);
  const added = await service.call(key, 'POST', '/api/webhooks', { ...hook, group: 'Shops' });
  expect(added.body).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringMatching('bound to') });
});

test('it is listed with its group, changed, tested and deleted without a project', async () => {
  await ok(organisation.writeKey, 'POST', `/api/projects/${inside}/webhooks`, { ...hook, name: 'Of the project' });
  const [row] = items(await ok(organisation.readKey, 'GET', '/api/webhooks?group=Shops'));
  expect(row).toMatchObject({ id: webhookId, group: { name: 'Shops' } });
  expect(await namesIn('')).toEqual(['Of shops', 'Of the project']);
  expect(await namesIn('group=Shops')).toEqual(['Of shops', 'Of the project']);
  expect(await namesIn('group=Web')).toEqual(['Of the project']);
  expect(await namesIn(`project_id=${inside}`)).toEqual(['Of the project']);
  const path = `/api/webhooks/${webhookId}`;
  expect(await ok(organisation.writeKey, 'PATCH', path, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
  await ok(organisation.writeKey, 'POST', `${path}/test`, {});
  expect(await ok(organisation.readKey, 'GET', `${path}/deliveries`)).toMatchObject({ items: [{ event: 'test' }] });
  const [told] = await service.database.system((tx) =>
    tx.selectFrom('webhook_deliveries').select('payload').where('webhook_id', '=', webhookId).execute(),
  );
  expect(at(told?.payload, 'data.project.name')).toBe('Shops');
  await ok(organisation.writeKey, 'DELETE', path);
  expect(await namesIn('')).toEqual(['Of the project']);
});

test('a project’s is not found without it, nor a group’s within a project', async () => {
  const own = textAt(await ok(organisation.writeKey, 'POST', `/api/projects/${inside}/webhooks`, hook), 'webhook.id');
  expect((await call('PATCH', `/api/webhooks/${own}`, { name: 'x' })).body).toMatchObject({ resource: 'webhook' });
  const within = `/api/projects/${inside}/webhooks/${webhookId}`;
  expect((await call('PATCH', within, { name: 'x' })).status).toBe(404);
  expect((await call('POST', `${within}/test`, {})).status).toBe(404);
  expect((await call('DELETE', within)).status).toBe(404);
});

test('it is added to a project or to a group, and goes with the group', async () => {
  const refused = { status: 422, errors: [{ field: 'project_id', reason: 'project_or_group' }] };
  expect((await call('POST', '/api/webhooks', hook)).body).toMatchObject(refused);
  const both = { ...hook, group: 'Shops' };
  expect((await call('POST', `/api/projects/${inside}/webhooks`, both)).body).toMatchObject(refused);
  expect((await call('POST', '/api/webhooks', { ...hook, group: 'Shop' })).body).toMatchObject({
    ...{ status: 404, resource: 'group', likely: [{ name: 'Shops' }] },
  });
  const shops = textAt(await ok(organisation.readKey, 'GET', '/api/groups'), 'items.0.id');
  await ok(organisation.admin.session, 'DELETE', `/api/groups/${shops}`);
  expect(await namesIn('')).toEqual([]);
  expect(await toldAfterScan(inside)).toEqual([]);
});
