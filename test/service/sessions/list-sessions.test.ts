import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;
let foreign: TestOrganisation;
/** A second session of the member. */
let second: string;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  [organisation, foreign] = [await service.newOrganisation(), await service.newOrganisation()];
  const { email, password } = organisation.member;
  second = textAt((await service.call(null, 'POST', '/api/session', { email, password })).body, 'token');
});
afterAll(() => service.close());

const list = async (session: string, path = '/api/sessions') => {
  const { body } = await service.call(session, 'GET', path);
  return [at(body, 'items')].flat().map((item) => ({
    id: textAt(item, 'id'),
    member: at(item, 'member.id'),
    current: at(item, 'current'),
    ip: at(item, 'ip'),
  }));
};
const currentOf = async (session: string) => (await list(session)).find(({ current }) => current === true)?.id ?? '';
const isAlive = async (session: string) => (await service.call(session, 'GET', '/api/session')).status === 200;

describe('a member', () => {
  test('lists the own sessions, newest first, with where they began', async () => {
    const { member } = organisation;
    expect(await list(second)).toEqual([
      { id: expect.any(String), member: member.id, current: true, ip: '127.0.0.1' },
      { id: expect.any(String), member: member.id, current: false, ip: null },
    ]);
  });

  test('ends one of them, or all others', async () => {
    const { member } = organisation;
    const id = await currentOf(member.session);
    expect((await service.call(second, 'DELETE', `/api/sessions/${id}`)).body).toEqual({ id, deleted: true });
    expect([await isAlive(member.session), await isAlive(second)]).toEqual([false, true]);
    expect((await service.call(second, 'DELETE', `/api/sessions/${id}`)).body).toMatchObject({
      status: 404,
      resource: 'session',
    });
    const { email, password } = member;
    const third = textAt((await service.call(null, 'POST', '/api/session', { email, password })).body, 'token');
    expect((await service.call(third, 'DELETE', '/api/sessions')).body).toEqual({ ended: 1 });
    expect([await isAlive(second), await isAlive(third)]).toEqual([false, true]);
  });

  test('ends nobody else’s, and does not list them', async () => {
    const { admin, member } = organisation;
    for (const other of [admin.session, foreign.member.session]) {
      const id = await currentOf(other);
      expect((await service.call(member.session, 'DELETE', `/api/sessions/${id}`)).status).toBe(404);
      expect(await isAlive(other)).toBe(true);
      expect((await list(member.session)).map((session) => session.id)).not.toContain(id);
    }
    expect((await service.call(member.session, 'GET', '/api/org/sessions')).status).toBe(403);
    expect((await service.call(member.session, 'DELETE', '/api/org/sessions')).status).toBe(403);
    expect((await service.call(organisation.writeKey, 'GET', '/api/sessions')).status).toBe(403);
  });
});

describe('an admin', () => {
  test('lists the sessions of all members, or of one', async () => {
    const { admin, member } = organisation;
    const all = await list(admin.session, '/api/org/sessions');
    expect(all.map((session) => session.member).sort()).toEqual([admin.id, member.id, member.id].sort());
    const one = await list(admin.session, `/api/org/sessions?member_id=${admin.id}`);
    expect(one).toEqual([{ id: expect.any(String), member: admin.id, current: true, ip: null }]);
    expect(await list(admin.session, `/api/org/sessions?member_id=${foreign.member.id}`)).toEqual([]);
  });

  test('ends one, those of one member, or all but the own', async () => {
    const { admin, member } = organisation;
    const id = await currentOf(second);
    expect((await service.call(admin.session, 'DELETE', `/api/org/sessions/${id}`)).status).toBe(200);
    expect([await isAlive(member.session), await isAlive(second)]).toEqual([true, false]);
    const path = `/api/org/sessions?member_id=${member.id}`;
    expect((await service.call(admin.session, 'DELETE', path)).body).toEqual({ ended: 1 });
    const other = await service.newMember(organisation.id, 'admin');
    expect((await service.call(admin.session, 'DELETE', '/api/org/sessions')).body).toEqual({ ended: 1 });
    expect([await isAlive(other.session), await isAlive(admin.session)]).toEqual([false, true]);
  });

  test('ends none of another organisation', async () => {
    const { admin } = organisation;
    const id = await currentOf(foreign.member.session);
    expect((await service.call(admin.session, 'DELETE', `/api/org/sessions/${id}`)).body).toMatchObject({
      status: 404,
      resource: 'session',
    });
    const path = `/api/org/sessions?member_id=${foreign.member.id}`;
    expect((await service.call(admin.session, 'DELETE', path)).body).toMatchObject({ status: 404, resource: 'member' });
    expect((await service.call(admin.session, 'DELETE', '/api/org/sessions')).status).toBe(200);
    expect(await isAlive(foreign.member.session)).toBe(true);
  });
});
