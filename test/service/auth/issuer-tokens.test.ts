import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedCaller } from '../../../src/shared/http/forwarded-caller.js';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { eventually } from '../../support/eventually.js';
import { takePeople } from '../../support/known-people.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { portOf } from '../../support/upstream.js';

const audiences = { mcp: 'https://posture.example.com/mcp', api: 'https://posture.example.com/api' };
const audience = audiences.api;
const gatewaySecret = 'only for tests, of a gateway and its service';

let server: AuthorizationServer;
let service: TestService;
let organisation: TestOrganisation;
beforeAll(async () => {
  server = await startAuthorizationServer();
  service = await startService({ issuer: { url: server.issuer, audiences }, gatewaySecret });
  organisation = await service.newOrganisation();
  await takePeople(service, organisation, server);
});
afterAll(async () => {
  await service.close();
  await server.close();
});

const now = () => Math.floor(Date.now() / 1000);

const claimsOf = (email: string): JWTPayload => ({
  ...{ iss: server.issuer, aud: audience, sub: `subject of ${email.toLowerCase()}`, iat: now(), exp: now() + 300 },
  ...{ jti: randomUUID(), email, email_verified: true },
});

const ask = (token: string, at: TestService = service) => at.call(token, 'GET', '/api/session');

/** A further member whose address is proven. */
async function newPerson() {
  const member = await service.newMember(organisation.id, 'member');
  await service.database.system((tx) =>
    tx.updateTable('members').set({ proven_by: 'operator' }).where('id', '=', member.id).execute(),
  );
  return member;
}

/** The same question through the door /mcp of the service's gateway. */
const askAsGateway = (token: string, secret = gatewaySecret) => {
  const from = signedCaller(secret)({ address: null, userAgent: null, door: 'mcp' });
  return service.call(token, 'GET', '/api/session', undefined, { ...from });
};

test('a token of the issuer calls as the member with its address, whatever its case', async () => {
  const { member } = organisation;
  const token = await server.sign(claimsOf(member.email.toUpperCase()));
  expect(await ask(token)).toMatchObject({
    status: 200,
    body: {
      organisation: { id: organisation.id },
      caller: { kind: 'member', member: { id: member.id }, issuer: server.issuer, access: 'read' },
    },
  });
});

test('a session says that it is by password, and may write', async () => {
  const { body } = await ask(organisation.member.session);
  expect(body).toMatchObject({ caller: { kind: 'member', issuer: null, access: 'write' } });
});

test('a list of audiences that has this one is good', async () => {
  const token = await server.sign({ ...claimsOf(organisation.member.email), aud: ['https://other.example', audience] });
  expect((await ask(token)).status).toBe(200);
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['for another audience', { aud: 'https://other.example/mcp' }],
  ['for no audience', { aud: undefined }],
  ['that has expired', { exp: now() - 120 }],
  ['that never expires', { exp: undefined }],
  ['that is not good yet', { nbf: now() + 86_400 }],
  ['of another issuer', { iss: 'https://login.example.com' }],
  ['about nobody', { sub: undefined }],
  ['about nobody, in words', { sub: '' }],
])('a token %s gets 401', async (_title, change) => {
  const { member } = organisation;
  expect((await ask(await server.sign(claimsOf(member.email)))).status).toBe(200);
  const token = await server.sign({ ...claimsOf(member.email), ...change });
  expect(await ask(token)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['with an address that is not verified', { email_verified: false }],
  ['with an address of which nothing is said', { email_verified: undefined }],
  ['with an address verified in words', { email_verified: 'true' }],
  ['without an address', { email: undefined }],
  ['with an address of nobody here', { email: 'nobody@example.com' }],
])('the first token of a person %s gets 401, and a later one needs no address', async (_title, change) => {
  const { email } = await newPerson();
  const changed = await server.sign({ ...claimsOf(email), ...change });
  expect(await ask(changed)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  expect((await ask(await server.sign(claimsOf(email)))).status).toBe(200);
  expect((await ask(changed)).status).toBe(200);
});

test.each([
  ['has expired', 'exp', -20],
  ['is not good yet', 'nbf', 40],
] as const)('clocks differ: a token that %s by less than a minute is good', async (_title, claim, seconds) => {
  const token = await server.sign({ ...claimsOf(organisation.member.email), [claim]: now() + seconds });
  expect((await ask(token)).status).toBe(200);
});

test('a token is good at the door that it is for alone, and whoever calls directly is at /api', async () => {
  const { member } = organisation;
  const [forApi, forMcp] = await Promise.all(
    [audiences.api, audiences.mcp].map((aud) => server.sign({ ...claimsOf(member.email), aud })),
  );
  const answers = [
    await ask(forApi ?? ''),
    await askAsGateway(forApi ?? ''),
    await ask(forMcp ?? ''),
    await askAsGateway(forMcp ?? ''),
    await askAsGateway(forMcp ?? '', 'another secret than the one that both have'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 200, 401]);
});

test.each<[string, Readonly<Record<string, unknown>>, 'read' | 'write']>([
  ['without a scope', {}, 'read'],
  ['for another scope', { scope: 'openid email write postern:writes' }, 'read'],
  ['to read', { scope: 'postern:read' }, 'read'],
  ['to write', { scope: 'openid postern:write' }, 'write'],
  ['to write, in a list', { scp: ['postern:read', 'postern:write'] }, 'write'],
  ['to write, by another name', { scp: 'postern:write' }, 'write'],
  ['whose scope is no text', { scope: { 'postern:write': true } }, 'read'],
])('a token %s: %j may %s', async (_title, change, access) => {
  const token = await server.sign({ ...claimsOf(organisation.member.email), ...change });
  expect(await ask(token)).toMatchObject({ status: 200, body: { caller: { access } } });
  const created = await service.call(token, 'POST', '/api/projects', { name: `p ${randomUUID()}` });
  if (access === 'write') expect(created.status).toBe(200);
  else expect(created).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'insufficient_scope' } });
});

test('tokens of one person for different scopes are not taken for each other', async () => {
  const claims = claimsOf(organisation.member.email);
  const [read, write] = [await server.sign(claims), await server.sign({ ...claims, scope: 'postern:write' })];
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await ask(write)).toMatchObject({ body: { caller: { access: 'write' } } });
    expect(await ask(read)).toMatchObject({ body: { caller: { access: 'read' } } });
  }
});

test('a key that the issuer has removed counts no longer than its keys are kept', async () => {
  const rotating = await startAuthorizationServer();
  const { jwtKey } = service;
  const short = await startService({ issuer: { url: rotating.issuer, audiences, keysForMs: 0 }, jwtKey });
  const long = await startService({ issuer: { url: rotating.issuer, audiences } });
  await takePeople(short, organisation, rotating);
  const token = await rotating.sign({ ...claimsOf(organisation.member.email), iss: rotating.issuer });
  expect([(await ask(token, short)).status, (await ask(token, long)).status]).toEqual([200, 200]);
  rotating.hasRemovedItsKey = true;
  expect([(await ask(token, short)).status, (await ask(token, long)).status]).toEqual([401, 200]);
  await Promise.all([short.close(), long.close(), rotating.close()]);
});

test('a token by an unknown key, a shared secret or no key gets 401', async () => {
  const claims = claimsOf(organisation.member.email);
  const { privateKey } = await generateKeyPair('RS256');
  const byOther = (kid: string) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  const bySecret = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(Buffer.alloc(32));
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
  for (const token of [await byOther('own'), await byOther('other'), await bySecret, unsigned])
    expect((await ask(token)).status).toBe(401);
});

test('tokens by unknown keys make the service ask for the keys now and then, not each time', async () => {
  const { privateKey } = await generateKeyPair('RS256');
  const claims = claimsOf(organisation.member.email);
  await ask(await server.sign(claims));
  const before = server.asked.keys;
  for (let at = 0; at < 5; at += 1) {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: `k${at}` }).sign(privateKey);
    expect((await ask(await token)).status).toBe(401);
  }
  expect(server.asked.keys - before).toBeLessThanOrEqual(1);
});

test('an issuer that cannot be reached is 503 by its name, for its tokens alone, and is not asked at each', async () => {
  const away = await startAuthorizationServer();
  const other = await startService({ issuer: { url: away.issuer, audiences } });
  away.isDown = true;
  const { member, readKey } = organisation;
  const token = await away.sign({ ...claimsOf(member.email), iss: away.issuer });
  for (let at = 0; at < 3; at += 1) {
    const answer = await ask(token, other);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', reason: 'issuer_unreachable' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect(away.asked).toEqual({ metadata: 1, keys: 0 });
  expect((await ask(readKey, other)).status).toBe(200);
  await other.close();
  await away.close();
});

test('an issuer that does not answer holds no turn: however many bring its tokens, others are answered', async () => {
  let asked = 0;
  const silent = createServer(() => {
    asked += 1;
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${portOf(silent.address())}`;
  const beside = await startService({ issuer: { url, audiences, timeoutMs: 600_000 }, trustProxy: 1 });
  const token = await server.sign({ ...claimsOf(organisation.member.email), iss: url });
  const crowd = Array.from({ length: 60 }, (_, at) => {
    const from = { 'x-forwarded-for': `192.0.${at % 6}.1` };
    return beside.call(token, 'GET', '/api/session', undefined, from).catch(() => 'ended');
  });
  await eventually(() => expect(asked).toBe(1));
  const from = { 'x-forwarded-for': '198.51.100.1' };
  expect((await beside.call(organisation.readKey, 'GET', '/api/session', undefined, from)).status).toBe(200);
  expect(asked).toBe(1);
  silent.closeAllConnections();
  silent.close();
  const answers = await Promise.all(crowd);
  expect(answers).toEqual(answers.map(() => expect.objectContaining({ status: 503 })));
  await beside.close();
});

test('keys and sessions are good beside it, and without an issuer its tokens are nothing', async () => {
  const { member, readKey } = organisation;
  expect((await ask(readKey)).status).toBe(200);
  expect((await ask(member.session)).status).toBe(200);
  const without = await startService();
  expect((await ask(await server.sign(claimsOf(member.email)), without)).status).toBe(401);
  await without.close();
});

test('a removed member’s token is nothing from the next request', async () => {
  const { id, email } = await newPerson();
  const token = await server.sign(claimsOf(email));
  expect((await ask(token)).status).toBe(200);
  await service.call(organisation.admin.session, 'DELETE', `/api/org/members/${id}`);
  expect((await ask(token)).status).toBe(401);
});

test('an admin’s token is a member’s: what outlives it needs a session', async () => {
  const { admin } = organisation;
  const token = await server.sign({ ...claimsOf(admin.email), scope: 'postern:write' });
  expect((await service.call(token, 'POST', '/api/projects', { name: `p ${randomUUID()}` })).status).toBe(200);
  const { body } = await service.call(token, 'GET', '/api/session');
  expect(body).toMatchObject({ caller: { kind: 'member', member: { email: admin.email, role: 'member' } } });
  const key = { name: 'k', scope: 'ReadOnly' };
  expect((await service.call(token, 'POST', '/api/org/api-keys', key)).status).toBe(403);
  expect((await service.call(admin.session, 'POST', '/api/org/api-keys', key)).status).toBe(200);
});

test('a token neither renews nor ends sessions, nor changes the password', async () => {
  const { email, password } = await newPerson();
  const token = await server.sign({ ...claimsOf(email), scope: 'postern:write' });
  const passwords = { current_password: password, new_password: 'another password' };
  const refused = [
    await service.call(token, 'POST', '/api/session/renewal', {}),
    await service.call(token, 'DELETE', '/api/session'),
    await service.call(token, 'PUT', '/api/session/password', passwords),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
