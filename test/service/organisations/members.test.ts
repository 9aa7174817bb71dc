import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
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

const setRole = (memberId: string, role: string, by = organisation.admin.session) =>
  service.call(by, 'PATCH', `/api/org/members/${memberId}`, { role });
const remove = (memberId: string, by = organisation.admin.session) =>
  service.call(by, 'DELETE', `/api/org/members/${memberId}`);
const newest = async () => at((await service.call(organisation.readKey, 'GET', '/api/org/audit-log')).body, 'items.0');
const admins = () =>
  service.database.system((tx) =>
    tx
      .selectFrom('members')
      .select('id')
      .where('organisation_id', '=', organisation.id)
      .where('role', '=', 'admin')
      .execute(),
  );

describe('members', () => {
  test('are listed by name, page by page, without their password hash', async () => {
    await service.newMember(organisation.id, 'member');
    const { body } = await service.call(organisation.readKey, 'GET', '/api/org/members?page_size=2');
    expect(body).toMatchObject({ page: 1, page_size: 2, total: 3, has_more: true });
    expect(at(body, 'items.0')).toEqual({
      id: organisation.admin.id,
      email: organisation.admin.email,
      name: organisation.admin.name,
      role: 'admin',
      created_at: expect.any(String),
      last_seen_at: null,
    });
    const second = await service.call(organisation.readKey, 'GET', '/api/org/members?page_size=2&page=2');
    expect(second.body).toMatchObject({ total: 3, has_more: false });
    expect(at(second.body, 'items.length')).toBe(1);
  });

  test('change their role, and the audit log shows it', async () => {
    const answer = await setRole(organisation.member.id, 'admin');
    expect(answer.body).toMatchObject({ id: organisation.member.id, role: 'admin' });
    expect(await newest()).toMatchObject({
      action: 'member.update',
      target: { kind: 'member', id: organisation.member.id },
      before: { role: 'member' },
      after: { role: 'admin' },
    });
  });

  test('whose role is what it was leave no audit row', async () => {
    expect((await setRole(organisation.member.id, 'member')).status).toBe(200);
    expect(await newest()).toBeUndefined();
  });

  test('are removed with their sessions, and the audit log shows it', async () => {
    expect((await remove(organisation.member.id)).body).toEqual({ id: organisation.member.id, deleted: true });
    expect((await service.call(organisation.member.session, 'GET', '/api/session')).status).toBe(401);
    const { email, name } = organisation.member;
    expect(await newest()).toMatchObject({
      action: 'member.remove',
      before: { email, name, role: 'member' },
      after: null,
    });
    expect((await remove(organisation.member.id)).body).toMatchObject({ status: 404, resource: 'member' });
  });

  test('that do not exist get 404', async () => {
    expect((await setRole('mem_nobody', 'admin')).body).toMatchObject({ status: 404, resource: 'member' });
    expect((await remove('mem_nobody')).body).toMatchObject({ status: 404, resource: 'member' });
  });
});

describe('the last admin', () => {
  test('can be neither demoted nor removed', async () => {
    const { admin } = organisation;
    expect((await setRole(admin.id, 'member')).body).toMatchObject({ status: 409, reason: 'last_admin' });
    expect((await remove(admin.id)).body).toMatchObject({ status: 409, reason: 'last_admin' });
    expect(await newest()).toBeUndefined();
    expect((await setRole(admin.id, 'admin')).status).toBe(200);
  });

  test('may go when there is another', async () => {
    await setRole(organisation.member.id, 'admin');
    expect((await remove(organisation.admin.id)).status).toBe(200);
    expect(await admins()).toEqual([{ id: organisation.member.id }]);
  });

  test.each(['demote', 'remove'])('is left when two %s each other at once', async (verb) => {
    for (let round = 0; round < 5; round += 1) {
      const other = await service.newMember(organisation.id, 'admin');
      const first = await service.newMember(organisation.id, 'admin');
      for (const { id } of await admins())
        if (id !== other.id && id !== first.id) await setRole(id, 'member', first.session);
      const act = (id: string, by: string) => (verb === 'demote' ? setRole(id, 'member', by) : remove(id, by));
      const both = await Promise.all([act(other.id, first.session), act(first.id, other.session)]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await admins()).toHaveLength(1);
    }
  });
});
