import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../../support/upstream.js';
import { errorAt, readCookie, send } from './browser.js';

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

const cookie = 'postern_session=t';
const secureCookie = '__Secure-postern_session=t';

/** OWN stands for the origin that the request is for, OTHER for another port of it. */
const own = (value: string, { url }: StartedGateway) =>
  value.replace('OWN', url).replace('OTHER', url.replace(/\d+$/, '1')).replace('TLS', url.replace('http', 'https'));

describe('a request by cookie', () => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway({ serviceUrl: upstream.url });
  });
  afterAll(() => gateway.close());

  test.each([
    // A read may come without either: a browser of an address without TLS sends none.
    ['GET', undefined, undefined, 200],
    ['GET', undefined, 'same-origin', 200],
    ['GET', 'OWN', 'same-origin', 200],
    ['GET', undefined, 'none', 403],
    ['GET', undefined, 'same-site', 403],
    ['GET', undefined, 'cross-site', 403],
    ['GET', undefined, '', 403],
    ['GET', 'OTHER', undefined, 403],
    ['GET', 'TLS', undefined, 403],
    ['GET', 'null', undefined, 403],
    ['POST', undefined, undefined, 403],
    ['POST', undefined, 'same-origin', 200],
    ['POST', 'OWN', undefined, 200],
    ['POST', 'OWN', 'same-origin', 200],
    ['POST', 'OWN', 'cross-site', 403],
    ['POST', 'OWN', 'none', 403],
    ['POST', 'OTHER', undefined, 403],
    ['POST', 'OTHER', 'same-origin', 403],
    ['POST', 'TLS', 'same-origin', 403],
    ['POST', 'null', 'same-origin', 403],
    ['POST', 'https://evil.example', 'cross-site', 403],
  ] as const)('%s with Origin %j and Sec-Fetch-Site %j is answered %i', async (method, origin, site, status) => {
    const before = upstream.seen.length;
    const headers = {
      ...(origin !== undefined && { origin: own(origin, gateway) }),
      ...(site !== undefined && { 'sec-fetch-site': site }),
    };
    const path = method === 'GET' ? '/trpc/organisation.get' : '/trpc/session.end';
    const sent = { method, ...(method === 'POST' && { body: {} }) };
    const answer = await send(`${gateway.url}${path}`, { ...sent, headers: { ...headers, cookie } });
    expect([answer.status, upstream.seen.length - before]).toEqual([status, status === 200 ? 1 : 0]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    if (status === 403) expect(errorAt(answer.body, 'failure')).toBe('forbidden');
    // The cookie decides: by a key in a header the same request is another program's own.
    const isForeign = origin === 'null' || origin === 'https://evil.example';
    const asKey = await send(`${gateway.url}${path}`, {
      ...sent,
      headers: { ...headers, cookie, authorization: 'Bearer k' },
    });
    expect(asKey.status).toBe(isForeign ? 403 : 200);
  });

  test('says why it is refused', async () => {
    const messageOf = async (headers: Record<string, string>) =>
      at(
        (await send(`${gateway.url}/trpc/session.end`, { method: 'POST', headers, body: {} })).body,
        'error.json.message',
      );
    expect(await messageOf({ cookie })).toMatch(/needs an Origin or Sec-Fetch-Site header/);
    expect(await messageOf({ cookie, 'sec-fetch-site': 'same-site' })).toMatch(/pages of this server alone/);
    expect(await messageOf({ cookie, origin: own('OTHER', gateway) })).toMatch(/PUBLIC_URL/);
  });

  test('is checked at the session’s own routes too, with a cookie or without', async () => {
    const routes = [
      { method: 'POST', path: '', body: { email: 'a@example.com', password: 'p' } },
      { method: 'POST', path: '/sign-in', body: { flow: 'f', callback: 'c' } },
      { method: 'POST', path: '/sign-in/organisation', body: { proof: 'p', organisation: 'o' } },
      { method: 'POST', path: '/switch', body: { organisation: 'o' } },
      { method: 'POST', path: '/renewal' },
      { method: 'DELETE', path: '' },
    ];
    for (const { path, ...sent } of routes) {
      const url = `${gateway.url}/trpc/session-cookie${path}`;
      for (const headers of [{}, { cookie }, { cookie, origin: own('OTHER', gateway) }]) {
        const { status, cookies } = await send(url, { ...sent, headers: { ...headers } });
        expect([path, status, cookies]).toEqual([path, 403, []]);
      }
      expect((await send(url, { ...sent, headers: { cookie, origin: gateway.url } })).status).toBe(200);
    }
  });
});

describe('behind a TLS proxy', () => {
  const signIn = (url: string, headers: Record<string, string>) =>
    send(`${url}/trpc/session-cookie`, { method: 'POST', headers, body: { email: 'a@example.com', password: 'p' } });
  const get = (url: string, headers: Record<string, string>) => send(`${url}/trpc/organisation.get`, { headers });

  test('that TRUST_PROXY knows, the cookie is Secure and the origin https', async () => {
    const gateway = await startGateway({ serviceUrl: upstream.url, trustProxy: 1 });
    const origin = gateway.url.replace('http:', 'https:');
    const forwarded = { 'x-forwarded-proto': 'https' };
    const { status, cookies } = await signIn(gateway.url, { ...forwarded, origin });
    const { pair, attributes } = readCookie(cookies[0]);
    expect([status, pair]).toEqual([200, '__Secure-postern_session=sample_1']);
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Path=/trpc', 'SameSite=Strict', 'Secure']));
    expect((await signIn(gateway.url, { ...forwarded, origin: gateway.url })).status).toBe(403);
    expect((await get(gateway.url, { ...forwarded, origin, cookie: secureCookie })).status).toBe(200);
    // Somebody on the way could have set the plain one.
    expect((await get(gateway.url, { ...forwarded, origin, cookie })).status).toBe(401);
    const out = await send(`${gateway.url}/trpc/session-cookie`, {
      ...{ method: 'DELETE', headers: { ...forwarded, origin, cookie: secureCookie } },
    });
    expect(out.cookies.map((field) => readCookie(field).pair).sort()).toEqual([
      '__Secure-postern_session=',
      'postern_session=',
    ]);
    await gateway.close();
  });

  test('that nothing is known of, its word does not count', async () => {
    const gateway = await startGateway({ serviceUrl: upstream.url });
    const { cookies } = await signIn(gateway.url, { 'x-forwarded-proto': 'https', origin: gateway.url });
    expect(readCookie(cookies[0]).attributes).not.toContain('Secure');
    await gateway.close();
  });

  test('that PUBLIC_URL names, its origin is ours, whether it keeps the Host or not', async () => {
    const publicUrl = 'https://posture.example.com/';
    const origin = 'https://posture.example.com';
    const gateway = await startGateway({ serviceUrl: upstream.url, allowedHosts: ['posture.example.com'], publicUrl });
    const { status, cookies } = await signIn(gateway.url, { origin });
    expect([status, readCookie(cookies[0]).pair]).toEqual([200, '__Secure-postern_session=sample_1']);
    expect((await get(gateway.url, { cookie: secureCookie })).status).toBe(200);
    expect((await get(gateway.url, { cookie: secureCookie, origin: `${origin}:444` })).status).toBe(403);
    expect((await get(gateway.url, { cookie: secureCookie, origin: 'http://posture.example.com' })).status).toBe(403);
    // A page of the same name without TLS gets none.
    expect(await signIn(gateway.url, { origin: 'http://posture.example.com' })).toMatchObject({
      status: 403,
      cookies: [],
    });
    // At the machine itself, without the proxy.
    expect(readCookie((await signIn(gateway.url, { origin: gateway.url })).cookies[0]).pair).toMatch(
      /^postern_session=/,
    );
    await gateway.close();
  });
});
