import { randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createSessionTokens } from '../../../src/service/auth/session-token.js';

/** Long enough for HS512 too. */
const key = randomBytes(64);
const tokens = createSessionTokens([key]);
const session = { id: 'session-1', memberId: 'member-1' };
const later = () => new Date(Date.now() + 60_000);

function signed(change: (token: SignJWT) => SignJWT, alg = 'HS256', by: Uint8Array = key): Promise<string> {
  const token = new SignJWT()
    .setProtectedHeader({ alg, typ: 'JWT' })
    .setIssuer('postern')
    .setAudience('postern-api')
    .setSubject('member-1')
    .setJti('session-1')
    .setIssuedAt()
    .setExpirationTime('1m');
  return change(token).sign(by);
}

describe('session tokens', () => {
  test('are read back by who signed them', async () => {
    expect(await tokens.read(await tokens.sign({ ...session, expiresAt: later() }))).toEqual(session);
  });

  test('are signed with the first key, and read by any: so a key is replaced while sessions go on', async () => {
    const next = randomBytes(32);
    const rotating = createSessionTokens([next, key]);
    const old = await tokens.sign({ ...session, expiresAt: later() });
    expect(await rotating.read(old)).toEqual(session);
    const fresh = await rotating.sign({ ...session, expiresAt: later() });
    expect(await createSessionTokens([next]).read(fresh)).toEqual(session);
    expect(await tokens.read(fresh)).toBeUndefined();
    expect(await createSessionTokens([next]).read(old)).toBeUndefined();
  });

  test('made elsewhere with the same claims and key are read too: the refusals below are for what they change', async () => {
    expect(await tokens.read(await signed((token) => token))).toEqual(session);
  });

  test.each<[string, () => string | Promise<string>]>([
    ['expired', () => signed((token) => token.setExpirationTime(Math.floor(Date.now() / 1000) - 1))],
    ['signed by another key', () => signed((token) => token, 'HS256', randomBytes(32))],
    ['signed with another algorithm', () => signed((token) => token, 'HS512')],
    ['from another issuer', () => signed((token) => token.setIssuer('elsewhere'))],
    ['for another audience', () => signed((token) => token.setAudience('elsewhere'))],
    [
      'without a subject',
      () =>
        new SignJWT()
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('postern')
          .setAudience('postern-api')
          .setJti('x')
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(key),
    ],
    [
      'without an end',
      () =>
        new SignJWT()
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('postern')
          .setAudience('postern-api')
          .setJti('x')
          .setSubject('y')
          .setIssuedAt()
          .sign(key),
    ],
    [
      'unsigned (alg none)',
      () =>
        new UnsecuredJWT()
          .setIssuer('postern')
          .setAudience('postern-api')
          .setSubject('member-1')
          .setJti('session-1')
          .setIssuedAt()
          .setExpirationTime('1m')
          .encode(),
    ],
    ['no token at all', () => 'a.b.c'],
    ['empty', () => ''],
  ])('are refused when %s', async (_, make) => {
    expect(await tokens.read(await make())).toBeUndefined();
  });

  test('are refused when their signature is another token’s', async () => {
    const [header, payload] = (await tokens.sign({ ...session, expiresAt: later() })).split('.');
    const other = await tokens.sign({ id: 'session-2', memberId: 'member-1', expiresAt: later() });
    expect(await tokens.read(`${header}.${payload}.${other.split('.')[2]}`)).toBeUndefined();
  });

  test('need a key of 32 bytes', () => {
    expect(() => createSessionTokens([randomBytes(31)])).toThrow('at least 32 bytes');
  });
});
