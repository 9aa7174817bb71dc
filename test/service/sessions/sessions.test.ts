import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const signIn = (email: string, password: string) => service.call(null, 'POST', '/api/session', { email, password });

describe('signing in', () => {
  test('answers a token for twelve hours, signed with HS256, that holds ids alone', async () => {
    const { member } = await service.newOrganisation();
    const { status, body } = await signIn(member.email, member.password);
    expect(status).toBe(200);
    const token = textAt(body, 'token');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const claims = decodeJwt(token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect(claims.sub).toBe(member.id);
    const expiresAt = Date.parse(textAt(body, 'expires_at'));
    expect(expiresAt).toBe((claims.exp ?? 0) * 1000);
    expect(Math.abs(expiresAt - Date.now() - 12 * 3_600_000)).toBeLessThan(10_000);
    const who = await service.call(token, 'GET', '/api/session');
    expect(at(who.body, 'caller.expires_at')).toBe(textAt(body, 'expires_at'));
  });

  test('does not mind how the address is written', async () => {
    const { member } = await service.newOrganisation();
    expect((await signIn(` ${member.email.toUpperCase()} `, member.password)).status).toBe(200);
  });

  test('fails alike for a wrong password and an unknown address', async () => {
    const { member } = await service.newOrganisation();
    const wrong = await signIn(member.email, 'not the password');
    const unknown = await signIn(`${randomUUID()}@example.com`, 'not the password');
    for (const { status, headers } of [wrong, unknown]) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect({ ...Object(wrong.body), request_id: '' }).toEqual({ ...Object(unknown.body), request_id: '' });
  });

  test('is slowed down after ten failures, for the right password too, but not for others', async () => {
    const { member, admin } = await service.newOrganisation();
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn(member.email, 'wrong')).status).toBe(401);
    const eleventh = await signIn(member.email.toUpperCase(), member.password);
    expect(eleventh.body).toMatchObject({ status: 429, code: 'rate_limited' });
    const seconds = Number(eleventh.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(admin.email, admin.password)).status).toBe(200);
  });

  test('is slowed down for attempts at once as for attempts in turn', async () => {
    const { member } = await service.newOrganisation();
    const many = await Promise.all(Array.from({ length: 15 }, () => signIn(member.email, 'wrong')));
    expect(many.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  test.each([
    {},
    { email: 'a@example.com' },
    { email: 'a@example.com', password: 1 },
    { email: 'a@example.com', password: 'x'.repeat(257) },
  ])('needs email and password: %j', async (body) => {
    expect((await service.call(null, 'POST', '/api/session', body)).status).toBe(422);
  });

  test('and out leave audit rows without the token', async () => {
    const { member, readKey } = await service.newOrganisation();
    const token = textAt((await signIn(member.email, member.password)).body, 'token');
    await service.call(token, 'DELETE', '/api/session');
    const { body } = await service.call(readKey, 'GET', '/api/org/audit-log');
    const target = { kind: 'session', id: decodeJwt(token).jti };
    const actor = { kind: 'member', id: member.id, name: member.name };
    expect(body).toMatchObject({ total: 2 });
    expect(at(body, 'items.0')).toMatchObject({ action: 'session.end', actor, target, before: null, after: null });
    expect(at(body, 'items.1')).toMatchObject({ action: 'session.create', actor, target, ip: '127.0.0.1' });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('takes expired sessions away', async () => {
    const { member, id } = await service.newOrganisation();
    const sessions = service.database;
    await sessions.system((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: new Date(0) })
        .where('organisation_id', '=', id)
        .execute(),
    );
    await signIn(member.email, member.password);
    const left = await sessions.system((tx) =>
      tx.selectFrom('sessions').select('member_id').where('organisation_id', '=', id).execute(),
    );
    expect(left).toEqual([{ member_id: member.id }]);
  });
});

describe('signing out', () => {
  test('ends this session and no other', async () => {
    const { member } = await service.newOrganisation();
    const token = textAt((await signIn(member.email, member.password)).body, 'token');
    expect((await service.call(token, 'DELETE', '/api/session')).body).toEqual({ ended: true, logout_url: null });
    expect((await service.call(token, 'GET', '/api/session')).status).toBe(401);
    expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(200);
  });
});

describe('whether the caller may call a procedure', () => {
  const ask = (credential: string, procedure: string) =>
    service.call(credential, 'GET', `/api/session?procedure=${procedure}`);

  test.each([
    ['projects.create', 403, 'forbidden', 200],
    ['intelligence.exportSbom', 403, 'plan_required', 403],
    ['vex.accept', 401, 'unauthenticated', 403],
    ['projects.list', 200, undefined, 200],
  ])('%s: a read key gets %i', async (procedure, status, code, ofAdmin) => {
    const { readKey, admin } = await service.newOrganisation({ plan: 'Free' });
    const answer = await ask(readKey, procedure);
    expect([answer.status, at(answer.body, 'code')]).toEqual([status, code]);
    expect((await ask(admin.session, procedure)).status).toBe(ofAdmin);
  });

  test.each(['session.create', 'posture.getSummary', 'projects.nothing', 'toString', ''])(
    '%j is no procedure that asks who is calling',
    async (procedure) => {
      const { readKey } = await service.newOrganisation();
      const { status, body } = await ask(readKey, procedure);
      expect([status, at(body, 'errors.0')]).toMatchObject([
        422,
        { field: 'procedure', reason: 'unknown_procedure', message: expect.stringContaining('projects.create') },
      ]);
    },
  );
});
