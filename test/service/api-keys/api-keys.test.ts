import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const create = (body: unknown) => service.call(organisation.admin.session, 'POST', '/api/org/api-keys', body);
const list = async (query = '') =>
  (await service.call(organisation.admin.session, 'GET', `/api/org/api-keys${query}`)).body;
const revoke = (id: string) => service.call(organisation.admin.session, 'DELETE', `/api/org/api-keys/${id}`);
const audit = async () => (await service.call(organisation.readKey, 'GET', '/api/org/audit-log')).body;

describe('an API key', () => {
  test('is answered once, works at once, and is kept as a hash', async () => {
    const { body } = await create({ name: 'ci', scope: 'ReadWrite' });
    const key = textAt(body, 'key');
    expect(key).toMatch(/^postern_live_[0-9a-f]{64}$/);
    expect(at(body, 'api_key')).toEqual({
      id: expect.any(String),
      name: 'ci',
      scope: 'ReadWrite',
      hint: `postern_live_…${key.slice(-4)}`,
      created_by: organisation.admin.name,
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
      expires_at: null,
      project_ids: null,
    });
    expect((await service.call(key, 'POST', '/api/projects', { name: 'by ci' })).status).toBe(200);
    const kept = await service.database.system((tx) =>
      tx.selectFrom('api_keys').selectAll().where('organisation_id', '=', organisation.id).execute(),
    );
    for (const text of [JSON.stringify(kept), JSON.stringify(await list()), JSON.stringify(await audit())]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(key.slice(0, 30));
    }
  });

  test('of scope ReadOnly reads and nothing more', async () => {
    const key = textAt((await create({ name: 'dashboards', scope: 'ReadOnly' })).body, 'key');
    expect((await service.call(key, 'GET', '/api/projects')).status).toBe(200);
    expect((await service.call(key, 'POST', '/api/projects', { name: 'x' })).status).toBe(403);
  });

  test('is listed newest first, revoked or not, page by page', async () => {
    const { body } = await create({ name: 'newest', scope: 'ReadOnly' });
    await revoke(organisation.readKeyId);
    const all = await list();
    expect(all).toMatchObject({ total: 3 });
    expect(at(all, 'items.0.id')).toBe(textAt(body, 'api_key.id'));
    expect(JSON.stringify(all)).toMatch(/"revoked_at":"\d/);
    expect(await list('?page=2&page_size=2')).toMatchObject({
      page: 2,
      has_more: false,
      items: [{ scope: expect.any(String) }],
    });
  });

  test('made and revoked leaves audit rows', async () => {
    const { body } = await create({ name: 'ci', scope: 'ReadOnly' });
    const target = { kind: 'api_key', id: textAt(body, 'api_key.id') };
    await revoke(target.id);
    const facts = { name: 'ci', scope: 'ReadOnly' };
    const log = await audit();
    expect(log).toMatchObject({ total: 2 });
    expect(at(log, 'items.0')).toMatchObject({ action: 'api_key.revoke', target, before: facts, after: null });
    expect(at(log, 'items.1')).toMatchObject({ action: 'api_key.create', target, before: null, after: facts });
  });

  test('is revoked once', async () => {
    expect((await revoke(organisation.readKeyId)).body).toEqual({ id: organisation.readKeyId, deleted: true });
    expect((await revoke(organisation.readKeyId)).body).toMatchObject({ status: 404, resource: 'api_key' });
    expect((await revoke('key_unknown')).body).toMatchObject({ status: 404, resource: 'api_key' });
  });

  test.each([
    [{ name: 'ci' }, 'scope'],
    [{ name: 'ci', scope: 'Admin' }, 'scope'],
    [{ name: '', scope: 'ReadOnly' }, 'name'],
    [{ name: 'ci', scope: 'ReadOnly', key: 'postern_live_own' }, 'key'],
  ])('is not made from %j', async (body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
  });
});
