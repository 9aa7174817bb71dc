import { randomBytes, randomUUID } from 'node:crypto';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../../src/service/auth/api-key.js';
import { createSessionTokens } from '../../../src/service/auth/session-token.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const soon = () => new Date(Date.now() + 60_000);

describe('every failed authentication is the same 401', () => {
  const unauthenticated = {
    type: 'urn:postern:problem:unauthenticated',
    title: 'Authentication failed',
    status: 401,
    code: 'unauthenticated',
    request_id: expect.any(String),
  };

  async function expectRefused(headers: Record<string, string>) {
    const answer = await service.call(null, 'GET', '/api/session', undefined, headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(unauthenticated);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }

  test('no credential', () => expectRefused({}));

  test.each([
    ['an empty header', () => ''],
    ['another scheme', () => `Basic ${organisation.readKey}`],
    ['the key without a scheme', () => organisation.readKey],
    ['no key after the scheme', () => 'Bearer '],
    ['two keys', () => `Bearer ${organisation.readKey} ${organisation.writeKey}`],
    ['a malformed key', () => 'Bearer postern_live_123'],
    [
      'a key with a wrong checksum',
      () => `Bearer ${organisation.readKey.slice(0, -1)}${organisation.readKey.endsWith('0') ? '1' : '0'}`,
    ],
    ['an unknown key', () => `Bearer ${makeApiKey()}`],
    ['the operator key', () => `Bearer ${service.operatorKey}`],
    ['a word', () => 'Bearer secret'],
  ])('%s', (_, authorization) => expectRefused({ authorization: authorization() }));

  test('a revoked key, at once', async () => {
    const { admin, readKey, readKeyId } = await service.newOrganisation();
    expect((await service.call(readKey, 'GET', '/api/session')).status).toBe(200);
    expect((await service.call(admin.session, 'DELETE', `/api/org/api-keys/${readKeyId}`)).status).toBe(200);
    await expectRefused({ authorization: `Bearer ${readKey}` });
  });

  test('an expired token', async () => {
    const { member } = organisation;
    const token = await createSessionTokens([service.jwtKey]).sign({
      id: randomUUID(),
      memberId: member.id,
      expiresAt: new Date(Date.now() - 1000),
    });
    await expectRefused({ authorization: `Bearer ${token}` });
  });

  test('a token of ours whose session has run out', async () => {
    const { member, id } = await service.newOrganisation();
    await service.database.system((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .where('organisation_id', '=', id)
        .execute(),
    );
    await expectRefused({ authorization: `Bearer ${member.session}` });
  });

  test('a token for a session that never was', async () => {
    const token = await createSessionTokens([service.jwtKey]).sign({
      id: randomUUID(),
      memberId: organisation.member.id,
      expiresAt: soon(),
    });
    await expectRefused({ authorization: `Bearer ${token}` });
  });

  test('a token for another member’s session', async () => {
    const own = await createSessionTokens([service.jwtKey]).read(organisation.member.session);
    const token = await createSessionTokens([service.jwtKey]).sign({
      id: own?.id ?? '',
      memberId: organisation.admin.id,
      expiresAt: soon(),
    });
    await expectRefused({ authorization: `Bearer ${token}` });
  });

  test('a token signed by someone else, or by no one, for a session that is', async () => {
    const own = await createSessionTokens([service.jwtKey]).read(organisation.member.session);
    const session = { id: own?.id ?? '', memberId: own?.memberId ?? '', expiresAt: soon() };
    const forged = await createSessionTokens([randomBytes(32)]).sign(session);
    await expectRefused({ authorization: `Bearer ${forged}` });
    const unsigned = new UnsecuredJWT()
      .setIssuer('postern')
      .setAudience('postern-api')
      .setSubject(session.memberId)
      .setJti(session.id)
      .setIssuedAt()
      .setExpirationTime(session.expiresAt)
      .encode();
    await expectRefused({ authorization: `Bearer ${unsigned}` });
  });

  test('an ended session', async () => {
    const { member } = await service.newOrganisation();
    expect((await service.call(member.session, 'DELETE', '/api/session')).body).toEqual({
      ended: true,
      logout_url: null,
    });
    await expectRefused({ authorization: `Bearer ${member.session}` });
  });

  test('a removed member', async () => {
    const { admin, member } = await service.newOrganisation();
    await service.call(admin.session, 'DELETE', `/api/org/members/${member.id}`);
    await expectRefused({ authorization: `Bearer ${member.session}` });
  });
});

describe('a caller', () => {
  test('is known by key or by session', async () => {
    const byKey = await service.call(organisation.readKey, 'GET', '/api/session');
    expect(at(byKey.body, 'caller')).toEqual({
      kind: 'api_key',
      id: organisation.readKeyId,
      name: 'ReadOnly key',
      scope: 'ReadOnly',
      expires_at: null,
      project_ids: null,
    });
    const bySession = await service.call(organisation.admin.session, 'GET', '/api/session');
    expect(at(bySession.body, 'caller')).toMatchObject({
      kind: 'member',
      member: { id: organisation.admin.id, role: 'admin' },
    });
    expect(at(bySession.body, 'organisation')).toMatchObject({ id: organisation.id, plan: 'Business' });
  });

  test('may write the scheme as it likes', async () => {
    const answer = await service.call(null, 'GET', '/api/session', undefined, {
      authorization: `bEARER  ${organisation.readKey}`,
    });
    expect(answer.status).toBe(200);
  });

  test('has a changed role from the next request on', async () => {
    const { admin, member } = await service.newOrganisation();
    expect((await service.call(member.session, 'GET', '/api/org/api-keys')).status).toBe(403);
    await service.call(admin.session, 'PATCH', `/api/org/members/${member.id}`, { role: 'admin' });
    expect((await service.call(member.session, 'GET', '/api/org/api-keys')).status).toBe(200);
  });

  test('leaves when it was last seen, once a minute', async () => {
    const { admin, readKey, readKeyId } = await service.newOrganisation();
    const lastUsed = async () => {
      const { body } = await service.call(admin.session, 'GET', '/api/org/api-keys');
      const index = [0, 1].find((candidate) => at(body, `items.${candidate}.id`) === readKeyId);
      return at(body, `items.${index}.last_used_at`);
    };
    expect(await lastUsed()).toBeNull();
    await service.call(readKey, 'GET', '/api/session');
    const first = await lastUsed();
    expect(first).toEqual(expect.any(String));
    await service.call(readKey, 'GET', '/api/session');
    expect(await lastUsed()).toBe(first);
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await service.database.system((tx) =>
      tx.updateTable('api_keys').set({ last_used_at: twoMinutesAgo }).where('id', '=', readKeyId).execute(),
    );
    await service.call(readKey, 'GET', '/api/session');
    expect(Date.parse(String(await lastUsed()))).toBeGreaterThan(twoMinutesAgo.getTime());
    const { body } = await service.call(admin.session, 'GET', '/api/session');
    expect(Date.parse(textAt(body, 'caller.member.last_seen_at'))).toBeGreaterThan(Date.now() - 60_000);
  });
});
