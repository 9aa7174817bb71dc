import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { errorAt, readCookie, send } from './browser.js';

let postern: TestPostern;
let page: Record<string, string>;

beforeAll(async () => {
  postern = await startPostern();
  page = { origin: postern.url, 'sec-fetch-site': 'same-origin' };
});
afterAll(() => postern.close());

const sessionCookie = () => `${postern.url}/trpc/session-cookie`;

const signIn = (credentials: unknown) => send(sessionCookie(), { method: 'POST', headers: page, body: credentials });

async function signedIn() {
  const { member } = await postern.newOrganisation();
  const { email, password } = member;
  const answer = await signIn({ email, password });
  const { pair } = readCookie(answer.cookies[0]);
  return { ...answer, member, cookie: pair, token: pair.slice(pair.indexOf('=') + 1) };
}

const who = (headers: Record<string, string>) => send(`${postern.url}/trpc/session.get`, { headers });

describe('signing in for a page', () => {
  test('sets a cookie for /trpc that no script and no other site can use, until the session ends', async () => {
    const { status, body, cookies, token } = await signedIn();
    expect([status, Object.keys(Object(body))]).toEqual([200, ['expires_at']]);
    const { pair, attributes } = readCookie(cookies[0]);
    expect(cookies).toHaveLength(1);
    expect(pair).toMatch(/^postern_session=[\w-]+\.[\w-]+\.[\w-]+$/);
    const [maxAge = '', ...others] = attributes.sort((a) => (a.startsWith('Max-Age=') ? -1 : 1));
    expect(others.sort()).toEqual(['HttpOnly', 'Path=/trpc', 'SameSite=Strict']);
    const seconds = Number(maxAge.slice('Max-Age='.length));
    const left = (Date.parse(textAt(body, 'expires_at')) - Date.now()) / 1000;
    expect(Math.abs(seconds - left)).toBeLessThan(20);
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('makes the cookie the credential of calls', async () => {
    const { cookie, member } = await signedIn();
    const { status, body } = await who({ ...page, cookie: `theme=dark; ${cookie}` });
    expect([status, at(body, 'result.data.json.caller.member.id')]).toEqual([200, member.id]);
    const created = await send(`${postern.url}/trpc/projects.create`, {
      ...{ method: 'POST', headers: { ...page, cookie } },
      body: { json: { name: 'by a page' } },
    });
    expect(created.status).toBe(200);
  });

  test('fails alike for a wrong password and an unknown address, without a cookie', async () => {
    const { member } = await postern.newOrganisation();
    for (const email of [member.email, 'nobody@example.com']) {
      const { status, body, cookies } = await signIn({ email, password: 'wrong' });
      expect([status, errorAt(body, 'failure'), cookies]).toEqual([401, 'unauthenticated', []]);
    }
  });

  test('is slowed down like every other sign-in, and says until when', async () => {
    const { member } = await postern.newOrganisation();
    const wrong = () => signIn({ email: member.email, password: 'wrong' });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await wrong()).status).toBe(401);
    const { status, body, headers } = await signIn({ email: member.email, password: member.password });
    expect([status, errorAt(body, 'failure')]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    expect(errorAt(body, 'retryAfterSeconds')).toBe(Number(headers.get('retry-after')));
  });

  test.each([
    [{}, 400, 'email'],
    [{ email: 'a@example.com' }, 400, 'password'],
    [{ email: 'a@example.com', password: 'p', token: 'x' }, 400, 'token'],
  ])('needs email and password and nothing else: %j', async (body, status, field) => {
    const answer = await signIn(body);
    expect([answer.status, errorAt(answer.body, 'failure')]).toEqual([status, 'invalid_input']);
    expect(JSON.stringify(errorAt(answer.body, 'fields'))).toContain(field);
  });

  test('takes JSON alone, and answers every refusal in the form of tRPC’s errors', async () => {
    const form = { ...page, 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await send(sessionCookie(), { method: 'POST', headers: form, body: 'email=a&password=b' });
    expect([refused.status, errorAt(refused.body, 'failure')]).toEqual([415, 'invalid_input']);
    const cut = await send(sessionCookie(), { method: 'POST', headers: page, body: '{"email":' });
    expect([cut.status, errorAt(cut.body, 'failure')]).toEqual([400, 'invalid_input']);
    const large = await signIn({ email: 'x'.repeat(300_000), password: 'p' });
    expect([large.status, errorAt(large.body, 'code')]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

describe('renewal', () => {
  test('moves the session on and sets the cookie anew', async () => {
    const { cookie, member } = await signedIn();
    await postern.database.system((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() + 60_000) })
        .where('member_id', '=', member.id)
        .execute(),
    );
    const { status, body, cookies } = await send(`${sessionCookie()}/renewal`, {
      ...{ method: 'POST', headers: { ...page, cookie } },
    });
    expect([status, Object.keys(Object(body))]).toEqual([200, ['expires_at']]);
    expect(Date.parse(textAt(body, 'expires_at')) - Date.now()).toBeGreaterThan(11 * 3_600_000);
    const renewed = readCookie(cookies[0]).pair;
    expect(renewed).toMatch(/^postern_session=./);
    for (const each of [cookie, renewed]) expect((await who({ ...page, cookie: each })).status).toBe(200);
  });

  test.each([
    '',
    'postern_session=',
    'postern_session=not-a-token',
    'postern_session=%E0%A4%A',
    'postern_session=a%20b',
  ])('of no session (%j) is unauthenticated, and takes the cookie away', async (cookie) => {
    const { status, body, cookies } = await send(`${sessionCookie()}/renewal`, {
      ...{ method: 'POST', headers: { ...page, ...(cookie !== '' && { cookie }) } },
    });
    expect([status, errorAt(body, 'failure')]).toEqual([401, 'unauthenticated']);
    expect(cookies).toEqual([expect.stringMatching(/^postern_session=; Path=\/trpc; Expires=Thu, 01 Jan 1970/)]);
  });

  test('is of the cookie alone, whatever Authorization says', async () => {
    const { member } = await postern.newOrganisation();
    const headers = { ...page, authorization: `Bearer ${member.session}` };
    expect((await send(`${sessionCookie()}/renewal`, { method: 'POST', headers })).status).toBe(401);
  });
});

describe('signing out', () => {
  test('ends the session and takes the cookie away', async () => {
    const { cookie } = await signedIn();
    const { status, body, cookies } = await send(sessionCookie(), { method: 'DELETE', headers: { ...page, cookie } });
    expect([status, body]).toEqual([200, { ended: true, logout_url: null }]);
    const { pair, attributes } = readCookie(cookies[0]);
    expect([pair, attributes]).toEqual(['postern_session=', ['HttpOnly', 'Path=/trpc', 'SameSite=Strict']]);
    expect((await who({ ...page, cookie })).status).toBe(401);
  });

  test('takes the cookie away where the session has ended already, or there is none', async () => {
    const { cookie } = await signedIn();
    const out = (headers: Record<string, string>) => send(sessionCookie(), { method: 'DELETE', headers });
    await out({ ...page, cookie });
    for (const headers of [{ ...page, cookie }, page]) {
      const { status, body, cookies } = await out(headers);
      expect([status, body, cookies.length]).toEqual([200, { ended: false, logout_url: null }, 1]);
    }
  });
});

describe('the cookie', () => {
  test('is no credential at the other doors', async () => {
    const { cookie } = await signedIn();
    const api = await send(`${postern.url}/api/session`, { headers: { ...page, cookie } });
    expect(api.status).toBe(401);
    const mcp = await send(`${postern.url}/mcp`, {
      method: 'POST',
      headers: { ...page, cookie, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_org', arguments: {} } },
    });
    expect(at(mcp.body, 'result.content.0.text')).toBe('authentication failed');
  });

  test('gives way to a credential in a header, good or not', async () => {
    const { cookie, member } = await signedIn();
    const { readKey } = await postern.newOrganisation();
    const asKey = await who({ ...page, cookie, authorization: `Bearer ${readKey}` });
    expect(at(asKey.body, 'result.data.json.caller.kind')).toBe('api_key');
    const asService = await who({ ...page, cookie, 'x-service-key': readKey });
    expect(at(asService.body, 'result.data.json.caller.kind')).toBe('api_key');
    for (const headers of [{ authorization: 'Basic x' }, { authorization: '' }, { 'x-service-key': 'wrong' }]) {
      expect((await who({ ...page, cookie, ...headers })).status).toBe(401);
    }
    expect((await who({ ...page, cookie: `${cookie}; ${cookie}` })).status).toBe(401);
    expect(at((await who({ ...page, cookie })).body, 'result.data.json.caller.member.id')).toBe(member.id);
  });

  test('comes into no log line, nor does a password', async () => {
    const { cookie, token, member } = await signedIn();
    await send(`${sessionCookie()}/renewal`, { method: 'POST', headers: { ...page, cookie } });
    await send(`${sessionCookie()}/renewal`, { method: 'POST', headers: { cookie } });
    await who({ ...page, cookie });
    await send(sessionCookie(), { method: 'DELETE', headers: { ...page, cookie } });
    expect(postern.log()).toContain('"procedure":"session.renew"');
    for (const secret of [token, member.password]) expect(postern.log()).not.toContain(secret);
  });
});
