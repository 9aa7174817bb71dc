import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const update = (body: unknown) => service.call(organisation.admin.session, 'PATCH', '/api/org', body);
const audit = async () => (await service.call(organisation.readKey, 'GET', '/api/org/audit-log')).body;

describe('the organisation', () => {
  test('is read by any of its callers', async () => {
    organisation = await service.newOrganisation({ plan: 'Free' });
    for (const credential of [organisation.readKey, organisation.writeKey, organisation.member.session]) {
      const { body } = await service.call(credential, 'GET', '/api/org');
      expect(body).toEqual({
        id: organisation.id,
        name: `organisation ${organisation.id}`,
        contact_email: null,
        plan: 'Free',
        revision: 1,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        credential: expect.objectContaining({ projects: null }),
      });
    }
  });

  test('says what each credential may do', async () => {
    organisation = await service.newOrganisation();
    const { admin, member, readKey, writeKey } = organisation;
    const ownOf = async (credential: string) =>
      at((await service.call(credential, 'GET', '/api/org')).body, 'credential');
    const all = { projects: null, expires_at: null, role: null };
    expect(await ownOf(readKey)).toEqual({ ...all, kind: 'api_key', name: 'ReadOnly key', scope: 'ReadOnly' });
    expect(await ownOf(writeKey)).toEqual({ ...all, kind: 'api_key', name: 'ReadWrite key', scope: 'ReadWrite' });
    for (const { name, session, role } of [
      { ...admin, role: 'admin' },
      { ...member, role: 'member' },
    ]) {
      const expires_at = expect.stringMatching(/^\d{4}-/);
      expect(await ownOf(session)).toEqual({ ...all, kind: 'member', name, scope: 'ReadWrite', role, expires_at });
    }
  });

  test('names the projects of a key that is bound to some, at most 50 of them', async () => {
    organisation = await service.newOrganisation();
    const { admin } = organisation;
    const ids = [];
    for (let n = 0; n < 52; n += 1) {
      const name = `p ${String(n).padStart(2, '0')}`;
      ids.push(textAt((await service.call(admin.session, 'POST', '/api/projects', { name })).body, 'id'));
    }
    const keyOf = async (project_ids: readonly string[]) => {
      const given = { name: 'bound', scope: 'ReadOnly', expires_at: '2199-01-01T00:00:00Z', project_ids };
      return textAt((await service.call(admin.session, 'POST', '/api/org/api-keys', given)).body, 'key');
    };
    const few = await service.call(await keyOf(ids.slice(1, 3)), 'GET', '/api/org');
    expect(at(few.body, 'credential')).toMatchObject({
      scope: 'ReadOnly',
      projects: {
        items: [
          { id: ids[1], name: 'p 01' },
          { id: ids[2], name: 'p 02' },
        ],
        total: 2,
      },
      expires_at: '2199-01-01T00:00:00.000Z',
    });
    const many = await service.call(await keyOf(ids.slice(0, 51)), 'GET', '/api/org');
    expect(at(many.body, 'credential.projects')).toEqual({
      items: ids.slice(0, 50).map((id, n) => ({ id, name: `p ${String(n).padStart(2, '0')}` })),
      total: 51,
    });
  });

  test('changes the given fields only, and empties what `clear` names', async () => {
    organisation = await service.newOrganisation();
    await update({ name: '  Orchard ', contact_email: 'Security@Example.com' });
    expect((await update({ name: 'Grove' })).body).toMatchObject({
      name: 'Grove',
      contact_email: 'security@example.com',
      revision: 3,
    });
    expect((await update({ clear: ['contact_email'] })).body).toMatchObject({ name: 'Grove', contact_email: null });
  });

  test('leaves in the audit log what differs, before and after', async () => {
    organisation = await service.newOrganisation();
    await update({ name: 'Orchard', clear: ['contact_email'] });
    expect(at(await audit(), 'items.0')).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: { kind: 'member', id: organisation.admin.id, name: organisation.admin.name },
      action: 'organisation.update',
      target: { kind: 'organisation', id: organisation.id },
      before: { name: `organisation ${organisation.id}` },
      after: { name: 'Orchard' },
      project: null,
      vulnerability_id: null,
      package: null,
      ip: '127.0.0.1',
      issuer: null,
      session_id: expect.any(String),
      device: expect.any(String),
      request_id: expect.any(String),
    });
  });

  test.each([
    [{}, ''],
    [{ name: '' }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ contact_email: 'nobody' }, 'contact_email'],
    [{ plan: 'Enterprise' }, 'plan'],
  ])('refuses %j', async (body, field) => {
    organisation = await service.newOrganisation();
    const answer = await update(body);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
    expect(at(await audit(), 'total')).toBe(0);
  });
});
