import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

const day = 24 * 60 * 60 * 1000;
const password = 'a long enough password';

let service: TestService;
let organisation: TestOrganisation;
let email: string;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  email = `${randomUUID()}@example.com`;
});
afterAll(() => service.close());

const invite = (body: Record<string, unknown> = { email }) =>
  service.call(organisation.admin.session, 'POST', '/api/org/invites', body);
const accept = (token: string, name = 'Ada') =>
  service.call(null, 'POST', '/api/invites/accept', { token, name, password });
const list = async () => (await service.call(organisation.readKey, 'GET', '/api/org/invites')).body;
const newest = async () => at((await service.call(organisation.readKey, 'GET', '/api/org/audit-log')).body, 'items.0');
const invalid = { status: 422, code: 'invalid_input', errors: [{ field: 'token', reason: 'invite_invalid' }] };

function setTimes(id: string, times: { expires_at?: Date; accepted_at?: Date }) {
  return service.database.system((tx) => tx.updateTable('invites').set(times).where('id', '=', id).execute());
}

async function newGroup(name: string): Promise<string> {
  return textAt((await service.call(organisation.admin.session, 'POST', '/api/groups', { name })).body, 'id');
}

describe('an invite', () => {
  test('answers its token once, lasts seven days, and is kept as a hash', async () => {
    const { body } = await invite();
    expect(textAt(body, 'token')).toMatch(/^postern_invite_[\w-]{43}$/);
    expect(at(body, 'invite')).toEqual({
      id: expect.any(String),
      email,
      role: 'member',
      status: 'pending',
      invited_by: organisation.admin.name,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      accepted_at: null,
      delivery: null,
    });
    expect(Date.parse(textAt(body, 'invite.expires_at')) - Date.parse(textAt(body, 'invite.created_at'))).toBe(7 * day);
    expect(at(await list(), 'items.0')).toEqual(at(body, 'invite'));
    expect(await newest()).toMatchObject({ action: 'invite.create', before: null, after: { email, role: 'member' } });
    const kept = await service.database.system((tx) =>
      tx.selectFrom('invites').selectAll().where('organisation_id', '=', organisation.id).execute(),
    );
    expect(JSON.stringify(kept)).not.toContain(textAt(body, 'token'));
  });

  test('makes a member who can sign in', async () => {
    const { body } = await invite({ email: email.toUpperCase(), role: 'admin' });
    const accepted = await accept(textAt(body, 'token'));
    expect(accepted.body).toEqual({
      id: expect.any(String),
      email,
      name: 'Ada',
      role: 'admin',
      groups: [],
      created_at: expect.any(String),
      last_seen_at: null,
      // Its maker had the token in hand.
      proven_by: null,
      deactivated_at: null,
    });
    const member = textAt(accepted.body, 'id');
    expect(await newest()).toMatchObject({
      actor: { kind: 'member', id: member, name: 'Ada' },
      action: 'invite.accept',
      target: { kind: 'invite', id: textAt(body, 'invite.id') },
      after: { member_id: member, email, name: 'Ada', role: 'admin' },
      ...{ ip: '127.0.0.1', device: 'node', session_id: null },
      request_id: accepted.headers.get('x-request-id'),
    });
    const session = await service.call(null, 'POST', '/api/session', { email, password });
    const who = await service.call(textAt(session.body, 'token'), 'GET', '/api/session');
    expect(at(who.body, 'organisation.id')).toBe(organisation.id);
    expect(at(await list(), 'items.0')).toMatchObject({ status: 'accepted', accepted_at: expect.any(String) });
  });

  test('gives roles in groups of projects that are still there when it is accepted', async () => {
    const [kept = '', gone = ''] = await Promise.all([newGroup('Retail'), newGroup('Banking')]);
    const groups = [
      { group: 'retail', role: 'triager' },
      { group: gone, role: 'viewer' },
    ];
    const { body } = await invite({ email, role: 'none', groups });
    await service.call(organisation.admin.session, 'DELETE', `/api/groups/${gone}`);
    const accepted = await accept(textAt(body, 'token'));
    expect(accepted.body).toMatchObject({ role: 'none', groups: [{ id: kept, name: 'Retail', role: 'triager' }] });
  });

  test('names groups that are there', async () => {
    const answer = await invite({ email, groups: [{ group: 'grp_none', role: 'viewer' }] });
    expect(answer.body).toMatchObject({ status: 404, resource: 'group' });
  });

  test('can be accepted once', async () => {
    const token = textAt((await invite()).body, 'token');
    expect((await accept(token)).status).toBe(200);
    expect((await accept(token)).body).toMatchObject(invalid);
  });

  test('accepted twice at once makes one member', async () => {
    const token = textAt((await invite()).body, 'token');
    const both = await Promise.all([accept(token, 'First'), accept(token, 'Second')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    const { body } = await service.call(organisation.readKey, 'GET', '/api/org/members');
    expect(at(body, 'total')).toBe(3);
  });

  test('that has expired, was revoked or never was is refused alike', async () => {
    const expired = await invite();
    await setTimes(textAt(expired.body, 'invite.id'), { expires_at: new Date(Date.now() - 1000) });
    const revoked = await invite();
    await service.call(organisation.admin.session, 'DELETE', `/api/org/invites/${textAt(revoked.body, 'invite.id')}`);
    const tokens = [textAt(expired.body, 'token'), textAt(revoked.body, 'token'), 'postern_invite_unknown', ''];
    for (const token of tokens) expect((await accept(token)).body).toMatchObject(invalid);
  });

  test('is accepted by somebody who is a member elsewhere: the two accounts know nothing of each other', async () => {
    const elsewhere = await service.newOrganisation();
    const other = await service.call(elsewhere.admin.session, 'POST', '/api/org/invites', { email });
    const theirs = await accept(textAt(other.body, 'token'), 'Grace');
    const ours = await accept(textAt((await invite()).body, 'token'));
    expect([theirs.status, ours.status]).toEqual([200, 200]);
    expect(textAt(ours.body, 'id')).not.toBe(textAt(theirs.body, 'id'));
    const members = await service.call(organisation.readKey, 'GET', '/api/org/members');
    expect(at(members.body, 'total')).toBe(3);
    const [seen, log] = [JSON.stringify(members.body), JSON.stringify(await newest())];
    for (const word of [elsewhere.id, textAt(theirs.body, 'id'), 'Grace']) {
      expect(seen).not.toContain(word);
      expect(log).not.toContain(word);
    }
  });

  test('is not made twice for one address, not even at once, and not for a member', async () => {
    const many = await Promise.all([invite(), invite(), invite({ email: email.toUpperCase() })]);
    expect(many.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await invite()).body).toMatchObject({ status: 409, reason: 'already_invited' });
    expect((await invite({ email: organisation.member.email })).body).toMatchObject({
      status: 409,
      reason: 'already_member',
    });
  });

  test('does not show an admin who is a member elsewhere', async () => {
    const elsewhere = await service.newOrganisation();
    expect((await invite({ email: elsewhere.member.email })).status).toBe(200);
  });

  test.each([
    [{ password: 'short' }, 'password'],
    [{ name: ' ' }, 'name'],
    [{ role: 'admin' }, 'role'],
  ])('is not accepted with %j, and stays pending', async (change, field) => {
    const token = textAt((await invite()).body, 'token');
    const answer = await service.call(null, 'POST', '/api/invites/accept', { token, name: 'Ada', password, ...change });
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
    expect((await accept(token)).status).toBe(200);
  });
});

describe('the list of invites', () => {
  test('has the pending and those accepted in the last 30 days, newest first', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(textAt((await invite({ email: `${index}-${email}` })).body, 'invite.id'));
    }
    const [pending = '', recent = '', old = '', expired = '', revoked = ''] = ids;
    await setTimes(recent, { accepted_at: new Date(Date.now() - 29 * day) });
    await setTimes(old, { accepted_at: new Date(Date.now() - 31 * day) });
    await setTimes(expired, { expires_at: new Date(Date.now() - 1000) });
    await service.call(organisation.admin.session, 'DELETE', `/api/org/invites/${revoked}`);
    const body = await list();
    expect(at(body, 'total')).toBe(2);
    expect([at(body, 'items.0.id'), at(body, 'items.1.id')]).toEqual([recent, pending]);
  });
});

describe('revoking an invite', () => {
  const revoke = (id: string) => service.call(organisation.admin.session, 'DELETE', `/api/org/invites/${id}`);

  test('removes a pending one, and the audit log shows it', async () => {
    const id = textAt((await invite()).body, 'invite.id');
    expect((await revoke(id)).body).toEqual({ id, deleted: true });
    expect(await newest()).toMatchObject({ action: 'invite.revoke', before: { email, role: 'member' }, after: null });
    expect((await revoke(id)).body).toMatchObject({ status: 404, resource: 'invite' });
    expect((await invite()).status).toBe(200);
  });

  test('finds no accepted one', async () => {
    const { body } = await invite();
    await accept(textAt(body, 'token'));
    expect((await revoke(textAt(body, 'invite.id'))).body).toMatchObject({ status: 404, resource: 'invite' });
  });
});
