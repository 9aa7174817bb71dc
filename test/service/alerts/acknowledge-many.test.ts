import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { advisory, storeAdvisory, unique } from './advisories.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A stack with so many open alerts, whose ids are sorted. */
async function newAlerts(count: number) {
  const stack = await newStack(service);
  const names = Array.from({ length: count }, () => unique.packageName());
  for (const name of names) await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
  await stack.sync(...names.map((name) => `${name}@1.0.0`));
  const alerts = (await stack.alerts()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { ...stack, names, opened: alerts, ids: alerts.map(({ id }) => id) };
}

async function auditOf(organisationId: string) {
  return service.database.system((tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'target_id', 'package', 'before', 'after', 'request_id'])
      .where('organisation_id', '=', organisationId)
      .where('target_kind', '=', 'alert')
      .orderBy('id')
      .execute(),
  );
}

const unknown = 'alr_00000000000000000000';

describe('many alerts', () => {
  test('are acknowledged together; each is in one list of the answer', async () => {
    const { call, ids, opened, names, sync } = await newAlerts(5);
    const [open = '', same = '', other = '', gone = ''] = ids;
    await call('POST', `/${same}/acknowledge`, { note: 'not reached' });
    await call('POST', `/${other}/acknowledge`, { note: 'later' });
    const kept = names.filter((name) => opened.some((alert) => alert.package.name === name && alert.id !== gone));
    await sync(...kept.map((name) => `${name}@1.0.0`));
    const answer = await call('POST', '/acknowledge', {
      alert_ids: [unknown, gone, other, same, open, open],
      note: 'not reached',
    });
    expect(answer).toEqual({
      status: 200,
      headers: expect.anything(),
      body: { acknowledged: [open], replaced: [other], unchanged: [same], resolved: [gone], not_found: [unknown] },
    });
    const acknowledged = { by: 'ReadWrite key', note: 'not reached' };
    for (const id of [open, same, other])
      expect((await call('GET', `/${id}`)).body).toMatchObject({ status: 'acknowledged', acknowledged });
    expect((await call('GET', `/${gone}`)).body).toMatchObject({ status: 'resolved', acknowledged: null });
  });

  test('are counted, and leave an audit entry each, of one request', async () => {
    const { call, ids, opened, organisation } = await newAlerts(3);
    await call('POST', '/acknowledge', { alert_ids: ids });
    const entries = await auditOf(organisation.id);
    expect(entries.map(({ target_id }) => target_id).toSorted()).toEqual(ids);
    expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(1);
    for (const { action, target_id, package: purl, before, after } of entries) {
      expect({ action, before, after }).toEqual({
        action: 'alert.acknowledge',
        before: { acknowledged: false, by: null },
        after: { acknowledged: true, by: 'ReadWrite key' },
      });
      expect(purl).toBe(opened.find(({ id }) => id === target_id)?.package.purl);
    }
    const { body } = await service.call(organisation.readKey, 'GET', '/api/posture/dependencies/summary');
    expect(body).toMatchObject({ acknowledged: 3 });
  });

  test('are open again with one call, which says what was not acknowledged', async () => {
    const { call, ids, organisation } = await newAlerts(3);
    const [first = '', second = '', never = ''] = ids;
    await call('POST', '/acknowledge', { alert_ids: [first, second] });
    const answer = await call('POST', '/unacknowledge', { alert_ids: [...ids, unknown] });
    expect(answer).toMatchObject({
      status: 200,
      body: { unacknowledged: [first, second], unchanged: [never], resolved: [], not_found: [unknown] },
    });
    expect((await call('GET', '?status=open')).body).toMatchObject({ total: 3 });
    expect((await auditOf(organisation.id)).map(({ action }) => action)).toEqual([
      'alert.acknowledge',
      'alert.acknowledge',
      'alert.unacknowledge',
      'alert.unacknowledge',
    ]);
    const again = await call('POST', '/unacknowledge', { alert_ids: ids });
    expect(again.body).toMatchObject({ unacknowledged: [], unchanged: ids });
    expect(await auditOf(organisation.id)).toHaveLength(4);
  });

  test('are all acknowledged when two calls name them at once, in another order', async () => {
    const { call, ids } = await newAlerts(6);
    const answers = await Promise.all(
      [ids, ids.toReversed()].map((alert_ids) => call('POST', '/acknowledge', { alert_ids, note: 'both' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await call('GET', '?status=acknowledged')).body).toMatchObject({ total: 6 });
  });

  test('of another project or organisation are not found and stay as they are', async () => {
    const [own, other] = [await newAlerts(1), await newAlerts(1)];
    const sibling = await newProject(service, own.organisation);
    for (const verb of ['acknowledge', 'unacknowledge']) {
      const both = { alert_ids: [...own.ids, ...other.ids] };
      const wrong = await service.call(own.key, 'POST', `/api/projects/${sibling}/alerts/${verb}`, both);
      expect(wrong).toMatchObject({ status: 200, body: { not_found: both.alert_ids } });
      const foreign = await service.call(own.key, 'POST', `${other.path}/${verb}`, both);
      expect(foreign).toMatchObject({ status: 404, body: { resource: 'project' } });
    }
    expect(await other.alerts()).toMatchObject([{ status: 'open' }]);
    expect(await own.alerts()).toMatchObject([{ status: 'open' }]);
  });

  test.each([
    ['no ids', { alert_ids: [] }, 'alert_ids'],
    ['101 ids', { alert_ids: Array.from({ length: 101 }, (_, nth) => `alr_${nth}`) }, 'alert_ids'],
    ['what is no id', { alert_ids: ['no id'] }, 'alert_ids.0'],
    ['a blank note', { alert_ids: [unknown], note: ' ' }, 'note'],
  ])('%s is an error that names the field', async (_, body, field) => {
    const { call } = await newStack(service);
    const answer = await call('POST', '/acknowledge', body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  test('need a write key', async () => {
    const { organisation, path, ids } = await newAlerts(1);
    for (const verb of ['acknowledge', 'unacknowledge']) {
      const answer = await service.call(organisation.readKey, 'POST', `${path}/${verb}`, { alert_ids: ids });
      expect(answer.status).toBe(403);
    }
  });
});
