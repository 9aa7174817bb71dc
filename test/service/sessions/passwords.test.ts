import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

const next = 'the next good password';

let service: TestService;
let organisation: TestOrganisation;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const signIn = (email: string, password: string) => service.call(null, 'POST', '/api/session', { email, password });
const isAlive = async (session: string) => (await service.call(session, 'GET', '/api/session')).status === 200;
const newest = async () => at((await service.call(organisation.readKey, 'GET', '/api/org/audit-log')).body, 'items.0');

describe('a member’s own password', () => {
  const change = (session: string, current_password: string, new_password = next) =>
    service.call(session, 'PUT', '/api/session/password', { current_password, new_password });

  test('is changed with the current one; the other sessions end, the new one signs in, the old one does not', async () => {
    const { member } = organisation;
    const other = textAt((await signIn(member.email, member.password)).body, 'token');
    const changed = await change(member.session, member.password);
    expect(changed.body).toEqual({ changed: true, ended_sessions: 1 });
    expect([await isAlive(member.session), await isAlive(other)]).toEqual([true, false]);
    expect(await newest()).toMatchObject({
      action: 'password.change',
      actor: { kind: 'member', id: member.id },
      target: { kind: 'member', id: member.id },
    });
    expect((await signIn(member.email, member.password)).status).toBe(401);
    expect((await signIn(member.email, next)).status).toBe(200);
  });

  test('stays where the current one is wrong, and guesses of it are counted', async () => {
    const { member } = organisation;
    for (let guess = 0; guess < 10; guess += 1) {
      const { body } = await change(member.session, `guess ${guess}`);
      expect(body).toMatchObject({ status: 422, errors: [{ field: 'current_password', reason: 'wrong_password' }] });
    }
    expect((await change(member.session, member.password)).body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await signIn(member.email, member.password)).status).toBe(200);
  });

  test('is changed once by two requests at once', async () => {
    const { member } = organisation;
    const both = await Promise.all([
      change(member.session, member.password, 'password number one'),
      change(member.session, member.password, 'password number two'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test.each([
    [{ current_password: 'x', new_password: 'short' }, 'new_password'],
    [{ new_password: next }, 'current_password'],
    [{ current_password: 'x', new_password: next, email: 'a@example.com' }, 'email'],
  ])('is not changed by %j', async (body, field) => {
    const answer = await service.call(organisation.member.session, 'PUT', '/api/session/password', body);
    expect([answer.status, at(answer.body, 'errors.0.field')]).toEqual([422, field]);
  });

  test('is nothing that a key has', async () => {
    expect((await change(organisation.writeKey, 'x')).body).toMatchObject({ status: 403 });
    expect((await service.call(null, 'PUT', '/api/session/password', {})).status).toBe(401);
  });
});

describe('a reset', () => {
  const issue = (session: string, memberId: string) =>
    service.call(session, 'POST', `/api/org/members/${memberId}/password-reset`, {});
  const redeem = (token: string, password = next) =>
    service.call(null, 'POST', '/api/session/password-reset', { token, password });
  const invalid = { status: 422, errors: [{ field: 'token', reason: 'reset_invalid' }] };

  test('lets the member set a password once, and ends all sessions', async () => {
    const { admin, member } = organisation;
    const issued = await issue(admin.session, member.id);
    const token = textAt(issued.body, 'token');
    expect(token).toMatch(/^postern_reset_[\w-]{43}$/);
    const left = Date.parse(textAt(issued.body, 'expires_at')) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect(await newest()).toMatchObject({ action: 'password_reset.create', target: { id: member.id } });
    expect(await isAlive(member.session)).toBe(true);
    expect((await redeem(token)).body).toEqual({ reset: true });
    expect(await isAlive(member.session)).toBe(false);
    expect(await isAlive(admin.session)).toBe(true);
    expect(await newest()).toMatchObject({
      action: 'password.reset',
      actor: { id: member.id },
      ip: '127.0.0.1',
      device: 'node',
    });
    expect((await signIn(member.email, member.password)).status).toBe(401);
    expect((await signIn(member.email, next)).status).toBe(200);
    expect((await redeem(token)).body).toMatchObject(invalid);
  });

  test('is used once by many at once', async () => {
    const token = textAt((await issue(organisation.admin.session, organisation.member.id)).body, 'token');
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is over after an hour, after a newer one, and after a change of the password', async () => {
    const { admin, member } = organisation;
    const first = textAt((await issue(admin.session, member.id)).body, 'token');
    const second = textAt((await issue(admin.session, member.id)).body, 'token');
    expect((await redeem(first)).body).toMatchObject(invalid);
    await service.database.system((tx) =>
      tx
        .updateTable('password_resets')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('member_id', '=', member.id)
        .execute(),
    );
    expect((await redeem(second)).body).toMatchObject(invalid);
    const third = textAt((await issue(admin.session, member.id)).body, 'token');
    const changed = { current_password: member.password, new_password: next };
    await service.call(member.session, 'PUT', '/api/session/password', changed);
    expect((await redeem(third)).body).toMatchObject(invalid);
  });

  test('is kept as a hash, and its token is in no log', async () => {
    const token = textAt((await issue(organisation.admin.session, organisation.member.id)).body, 'token');
    const kept = await service.database.system((tx) =>
      tx.selectFrom('password_resets').selectAll().where('organisation_id', '=', organisation.id).execute(),
    );
    expect(kept).toHaveLength(1);
    for (const text of [JSON.stringify(kept), JSON.stringify(await newest()), service.log()]) {
      expect(text).not.toContain(token);
    }
  });

  test('is issued by admins, for members of their own organisation, and not for themselves', async () => {
    const { admin, member, writeKey } = organisation;
    expect((await issue(member.session, admin.id)).status).toBe(403);
    expect((await issue(writeKey, member.id)).status).toBe(403);
    expect((await issue(admin.session, admin.id)).body).toMatchObject({ status: 409, reason: 'own_password' });
    const { member: foreign } = await service.newOrganisation();
    for (const id of [foreign.id, randomUUID()]) {
      expect((await issue(admin.session, id)).body).toMatchObject({ status: 404, resource: 'member' });
    }
  });

  test('is not repeated by an Idempotency-Key', async () => {
    const again = { 'idempotency-key': randomUUID() };
    const path = `/api/org/members/${organisation.member.id}/password-reset`;
    const first = await service.call(organisation.admin.session, 'POST', path, {}, again);
    const second = await service.call(organisation.admin.session, 'POST', path, {}, again);
    expect([first.status, second.status]).toEqual([200, 409]);
  });

  test('of an admin is issued by the operator, by e-mail address', async () => {
    const { admin } = organisation;
    const operate = (credential: string | null, email: string) =>
      service.call(credential, 'POST', '/api/operator/password-resets', { email });
    const issued = await operate(service.operatorKey, admin.email.toUpperCase());
    expect(issued.body).toMatchObject({ email: admin.email });
    expect((await redeem(textAt(issued.body, 'token'))).status).toBe(200);
    expect((await signIn(admin.email, next)).status).toBe(200);
    expect((await operate(service.operatorKey, `${randomUUID()}@example.com`)).body).toMatchObject({ status: 404 });
    expect((await operate(service.operatorKey, 'nobody')).body).toMatchObject({ errors: [{ field: 'email' }] });
    expect((await operate(admin.session, admin.email)).status).toBe(401);
  });
});
