import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessionTokens } from '../../../src/service/auth/session-token.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

const hour = 3_600_000;
const jwtKey = randomBytes(32);
let service: TestService;

beforeAll(async () => {
  service = await startService({ jwtKey });
});
afterAll(() => service.close());

const renew = (token: string) => service.call(token, 'POST', '/api/session/renewal', {});

async function signedIn(): Promise<{ readonly token: string; readonly memberId: string }> {
  const { member } = await service.newOrganisation();
  const { email, password } = member;
  const { body } = await service.call(null, 'POST', '/api/session', { email, password });
  return { token: textAt(body, 'token'), memberId: member.id };
}

/** Makes a session look as if it had begun, and would end, so many hours from now. */
async function shift(token: string, { begun, ends }: { readonly begun: number; readonly ends: number }): Promise<Date> {
  const [created, expires] = [begun, ends].map(
    (hours) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * hour),
  );
  if (created === undefined || expires === undefined) throw new Error('two dates');
  await service.database.system((tx) =>
    sql`update sessions set created_at = ${created}, expires_at = ${expires} where id = ${decodeJwt(token).jti}`.execute(
      tx,
    ),
  );
  return expires;
}

describe('renewing a session', () => {
  test('moves its end on to twelve hours from now, with a token of its own for the same session', async () => {
    const { token } = await signedIn();
    const before = await shift(token, { begun: -20, ends: 1 });
    const { status, body } = await renew(token);
    expect(status).toBe(200);
    const renewed = textAt(body, 'token');
    const until = Date.parse(textAt(body, 'expires_at'));
    expect(until - before.getTime()).toBeGreaterThanOrEqual(11 * hour);
    expect(until - Date.now()).toBeLessThanOrEqual(12 * hour);
    expect(decodeJwt(renewed)).toMatchObject({ jti: decodeJwt(token).jti, exp: until / 1000 });
    const who = await service.call(renewed, 'GET', '/api/session');
    expect(at(who.body, 'caller.expires_at')).toBe(textAt(body, 'expires_at'));
  });

  test('leaves the old token good, until the session ends', async () => {
    const { token } = await signedIn();
    await shift(token, { begun: -2, ends: 1 });
    const renewed = textAt((await renew(token)).body, 'token');
    expect((await service.call(token, 'GET', '/api/session')).status).toBe(200);
    await service.call(renewed, 'DELETE', '/api/session');
    for (const each of [token, renewed]) expect((await service.call(each, 'GET', '/api/session')).status).toBe(401);
  });

  test('an old token is not good for longer than it says, though its session is', async () => {
    const { token, memberId } = await signedIn();
    const id = String(decodeJwt(token).jti);
    const old = await createSessionTokens([jwtKey]).sign({ id, memberId, expiresAt: new Date(Date.now() - 1_000) });
    expect((await service.call(token, 'GET', '/api/session')).status).toBe(200);
    expect((await service.call(old, 'GET', '/api/session')).status).toBe(401);
    expect((await renew(old)).status).toBe(401);
  });

  test('never goes beyond seven days after signing in', async () => {
    const { token } = await signedIn();
    await shift(token, { begun: -7 * 24 + 3, ends: 1 });
    const first = textAt((await renew(token)).body, 'expires_at');
    const left = Date.parse(first) - Date.now();
    expect(left).toBeLessThanOrEqual(3 * hour);
    expect(left).toBeGreaterThan(2.9 * hour);
    expect(textAt((await renew(token)).body, 'expires_at')).toBe(first);
  });

  test('never brings its end nearer', async () => {
    const { token } = await signedIn();
    const later = await shift(token, { begun: 0, ends: 13 });
    expect(textAt((await renew(token)).body, 'expires_at')).toBe(later.toISOString());
  });

  test('writes nothing within a quarter of an hour of the last time', async () => {
    const { token } = await signedIn();
    const versionOf = async () => {
      const { rows } = await service.database.system((tx) =>
        sql<{ ctid: string }>`select ctid::text as ctid from sessions where id = ${decodeJwt(token).jti}`.execute(tx),
      );
      return rows[0]?.ctid;
    };
    const before = await versionOf();
    const { status, body } = await renew(token);
    expect(status).toBe(200);
    expect(Date.parse(textAt(body, 'expires_at'))).toBe((decodeJwt(token).exp ?? 0) * 1000);
    expect(await versionOf()).toBe(before);
  });

  test('is in the audit log, without the token', async () => {
    const { token } = await signedIn();
    const before = await shift(token, { begun: -2, ends: 1 });
    const { body } = await renew(token);
    const log = await service.call(token, 'GET', '/api/org/audit-log?action=session.renew');
    expect(log.body).toMatchObject({ total: 1 });
    expect(at(log.body, 'items.0')).toMatchObject({
      target: { kind: 'session', id: decodeJwt(token).jti },
      before: { expires_at: before.toISOString() },
      after: { expires_at: textAt(body, 'expires_at') },
      ip: '127.0.0.1',
    });
    expect(JSON.stringify(log.body)).not.toContain(textAt(body, 'token'));
  });

  test('brings no session back that has ended', async () => {
    const { token } = await signedIn();
    await shift(token, { begun: -13, ends: -1 });
    expect((await renew(token)).status).toBe(401);
  });

  test('is for members alone', async () => {
    const { readKey, writeKey } = await service.newOrganisation();
    for (const key of [readKey, writeKey]) expect((await renew(key)).body).toMatchObject({ code: 'forbidden' });
  });

  test('keeps no token for a repetition of the request', async () => {
    const { token } = await signedIn();
    const repeated = { 'idempotency-key': 'renewal' };
    const once = () => service.call(token, 'POST', '/api/session/renewal', {}, repeated);
    expect((await once()).status).toBe(200);
    expect((await once()).status).toBe(409);
  });
});
