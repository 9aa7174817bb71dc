import { randomUUID } from 'node:crypto';
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

const update = (memberId: string, changes: object, by = organisation.admin.session) =>
  service.call(by, 'PATCH', `/api/org/members/${memberId}`, changes);
const setRole = (memberId: string, role: string, by = organisation.admin.session) => update(memberId, { role }, by);
const signIn = ({ email, password }: TestOrganisation['member']) =>
  service.call(null, 'POST', '/api/session', { email, password });
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
      .where('deactivated_at', 'is', null)
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
      groups: [],
      created_at: expect.any(String),
      last_seen_at: null,
      proven_by: null,
      deactivated_at: null,
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

  test('get roles in groups of projects, which replace those they had', async () => {
    const newGroup = async (name: string) =>
      textAt((await service.call(organisation.admin.session, 'POST', '/api/groups', { name })).body, 'id');
    const [retail, banking] = [await newGroup('Retail'), await newGroup('Banking')];
    const first = [
      { group: 'retail', role: 'viewer' },
      { group: banking, role: 'member' },
    ];
    const shown = [
      { id: banking, name: 'Banking', role: 'member' },
      { id: retail, name: 'Retail', role: 'viewer' },
    ];
    expect((await update(organisation.member.id, { groups: first })).body).toMatchObject({ groups: shown });
    expect(await newest()).toMatchObject({ before: { groups: [] }, after: { groups: shown.toReversed() } });
    expect((await update(organisation.member.id, { groups: first.toReversed() })).body).toMatchObject({
      groups: shown,
    });

    const changed = [{ id: retail, name: 'Retail', role: 'admin' }];
    const answer = await update(organisation.member.id, { groups: [{ group: retail, role: 'admin' }] });
    expect(answer.body).toMatchObject({ groups: changed });
    expect(await newest()).toMatchObject({ before: { groups: shown }, after: { groups: changed } });
    const who = await service.call(organisation.member.session, 'GET', '/api/session');
    expect(at(who.body, 'caller')).toMatchObject({ access: 'write', member: { role: 'member', groups: changed } });
    await service.call(organisation.admin.session, 'DELETE', `/api/groups/${retail}`);
    expect((await update(organisation.member.id, { role: 'viewer' })).body).toMatchObject({ groups: [] });
  });

  test('have no role in a group that is not there', async () => {
    const answer = await update(organisation.member.id, { groups: [{ group: 'nowhere', role: 'viewer' }] });
    expect(answer.body).toMatchObject({ status: 404, resource: 'group' });
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

  test('are changed in something, or the request is refused', async () => {
    expect((await update(organisation.member.id, {})).body).toMatchObject({
      status: 422,
      errors: [{ reason: 'no_change' }],
    });
  });

  test('that do not exist get 404', async () => {
    expect((await setRole('mem_nobody', 'admin')).body).toMatchObject({ status: 404, resource: 'member' });
    expect((await remove('mem_nobody')).body).toMatchObject({ status: 404, resource: 'member' });
  });
});

describe('a member who is deactivated', () => {
  test('loses every session at once and gets no other, until a reactivation', async () => {
    const { member } = organisation;
    const other = textAt((await signIn(member)).body, 'token');
    const answer = await update(member.id, { deactivated: true });
    expect(answer.body).toMatchObject({ id: member.id, role: 'member', deactivated_at: expect.any(String) });
    for (const session of [member.session, other])
      expect((await service.call(session, 'GET', '/api/session')).status).toBe(401);
    expect((await signIn(member)).status).toBe(401);
    expect(await newest()).toMatchObject({
      action: 'member.update',
      before: { deactivated_at: null },
      after: { deactivated_at: at(answer.body, 'deactivated_at') },
    });
    expect((await update(member.id, { deactivated: true })).body).toEqual(answer.body);

    expect((await update(member.id, { deactivated: false })).body).toMatchObject({ deactivated_at: null });
    expect((await service.call(other, 'GET', '/api/session')).status).toBe(401);
    expect((await signIn(member)).status).toBe(200);
  });

  test('is no admin that the organisation could count on', async () => {
    const { admin, member } = organisation;
    await setRole(member.id, 'admin');
    expect((await update(admin.id, { deactivated: true }, member.session)).status).toBe(200);
    for (const changes of [{ role: 'viewer' }, { deactivated: true }])
      expect((await update(member.id, changes, member.session)).body).toMatchObject({ reason: 'last_admin' });
    expect((await remove(member.id, member.session)).body).toMatchObject({ reason: 'last_admin' });
    expect((await remove(admin.id, member.session)).status).toBe(200);
  });
});

describe('the address of a member', () => {
  const newDomain = (proven_by: 'dns' | null) => {
    const domain = `${randomUUID()}.example`;
    const row = { organisation_id: organisation.id, domain, challenge: 'x', proven_by };
    return service.database.system(async (tx) => {
      await tx.insertInto('email_domains').values(row).execute();
      await tx
        .updateTable('members')
        .set({ email: `somebody@${domain}` })
        .where('id', '=', organisation.member.id)
        .execute();
    });
  };

  test('is confirmed by an admin where its domain is proven to be the organisation’s', async () => {
    await newDomain('dns');
    const answer = await update(organisation.member.id, { confirm_address: true });
    expect(answer.body).toMatchObject({ proven_by: 'domain' });
    expect(await newest()).toMatchObject({ before: { proven_by: null }, after: { proven_by: 'domain' } });
  });

  test('is a stranger’s to an admin of any other organisation', async () => {
    const refused = { status: 422, errors: [{ field: 'confirm_address', reason: 'domain_not_proven' }] };
    expect((await update(organisation.member.id, { confirm_address: true })).body).toMatchObject(refused);
    await newDomain(null);
    expect((await update(organisation.member.id, { confirm_address: true })).body).toMatchObject(refused);
    expect(await newest()).toBeUndefined();
  });

  test('that is proven already stays proven as it was', async () => {
    await service.database.system((tx) =>
      tx.updateTable('members').set({ proven_by: 'mail' }).where('id', '=', organisation.member.id).execute(),
    );
    const answer = await update(organisation.member.id, { confirm_address: true });
    expect(answer.body).toMatchObject({ proven_by: 'mail' });
  });
});

describe('the last admin', () => {
  test('can be neither demoted nor deactivated nor removed', async () => {
    const { admin } = organisation;
    expect((await update(admin.id, { deactivated: true })).body).toMatchObject({ status: 409, reason: 'last_admin' });
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

  test.each(['demote', 'deactivate', 'remove'])('is left when two %s each other at once', async (verb) => {
    for (let round = 0; round < 5; round += 1) {
      const other = await service.newMember(organisation.id, 'admin');
      const first = await service.newMember(organisation.id, 'admin');
      for (const { id } of await admins())
        if (id !== other.id && id !== first.id) await setRole(id, 'member', first.session);
      const change = verb === 'demote' ? { role: 'member' } : { deactivated: true };
      const act = (id: string, by: string) => (verb === 'remove' ? remove(id, by) : update(id, change, by));
      const both = await Promise.all([act(other.id, first.session), act(first.id, other.session)]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await admins()).toHaveLength(1);
    }
  });
});
