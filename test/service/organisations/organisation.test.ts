import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
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
      });
    }
  });

  test('changes the given fields only, and clears with null', async () => {
    organisation = await service.newOrganisation();
    await update({ name: '  Orchard ', contact_email: 'Security@Example.com' });
    expect((await update({ name: 'Grove' })).body).toMatchObject({
      name: 'Grove',
      contact_email: 'security@example.com',
      revision: 3,
    });
    expect((await update({ contact_email: null })).body).toMatchObject({ name: 'Grove', contact_email: null });
  });

  test('leaves in the audit log what differs, before and after', async () => {
    organisation = await service.newOrganisation();
    await update({ name: 'Orchard', contact_email: null });
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
