import { once } from 'node:events';
import { createServer } from 'node:http';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, openBrowser } from '../../browser/support/chromium.js';
import { at } from '../../support/at.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { answerJson, answerSample, type FakeUpstream, portOf, startUpstream } from '../../support/upstream.js';

const app = 'https://app.example.com';
const refusal = 'pages of this origin may not call: ALLOWED_ORIGINS names those of other sites that may';

let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  upstream = await startUpstream((res, seen) =>
    seen.headers.authorization === 'Bearer busy'
      ? answerJson(res.setHeader('retry-after', '7'), 429, {})
      : answerSample(res, seen),
  );
  gateway = await startGateway({
    serviceUrl: upstream.url,
    allowedHosts: ['postern.default.svc', 'posture.example.com'],
    allowedOrigins: new Set([app]),
    oauth: { issuer: 'https://login.example.com/', resource: 'https://posture.example.com/mcp' },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);

const preflight = (path: string, origin: string, method = 'POST') =>
  ask(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });

const listTools = (origin: string) =>
  ask('/mcp', {
    method: 'POST',
    headers: {
      origin,
      authorization: 'Bearer k',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

const names = (field: string | null) => (field ?? '').toLowerCase().split(', ');

describe('a page of an allowed origin', () => {
  test.each([
    ['/trpc/organisation.get', 'GET'],
    ['/trpc/upload/sast.uploadReport', 'POST'],
    ['/mcp', 'POST'],
    ['/mcp', 'DELETE'],
  ])('may ask %s in advance (%s)', async (path, method) => {
    const { status, headers } = await preflight(path, app, method);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, app]);
    expect(names(headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
    expect(names(headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'x-service-key', 'trpc-accept'],
        ...['mcp-protocol-version', 'mcp-session-id', 'x-mcp-toolsets', 'x-mcp-readonly', 'x-organisation'],
      ]),
    );
    expect(headers.get('access-control-max-age')).toBe('7200');
  });

  test.each([
    ['a call', () => ask('/trpc/organisation.get', { headers: { origin: app, authorization: 'Bearer k' } }), 200],
    ['a refused one', () => ask('/trpc/organisation.get', { headers: { origin: app } }), 401],
    [
      'a limited one',
      () => ask('/trpc/organisation.get', { headers: { origin: app, authorization: 'Bearer busy' } }),
      429,
    ],
    ['a tool list', () => listTools(app), 200],
    ['MCP without a credential', () => ask('/mcp', { method: 'POST', headers: { origin: app } }), 401],
  ])('reads %s with its header', async (_, send, status) => {
    const answer = await send();
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, app]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(names(answer.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate', 'mcp-session-id']),
    );
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('does not get in by a cookie, and sets none', async () => {
    const headers = { origin: app, cookie: 'postern_session=t' };
    const before = upstream.seen.length;
    expect((await ask('/trpc/organisation.get', { headers })).status).toBe(403);
    const signIn = await ask('/trpc/session-cookie', {
      method: 'POST',
      headers: { origin: app, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com', password: 'correct horse battery' }),
    });
    expect([signIn.status, signIn.headers.getSetCookie(), upstream.seen.length - before]).toEqual([403, [], 0]);
  });
});

describe('a page of another origin', () => {
  test.each([
    ...['https://evil.example', 'null', 'http://app.example.com', 'https://app.example.com:8443'],
    ...['https://APP.example.com', 'https://app.example.com.evil.example'],
    // Of this machine, as a page that a developer serves. It may send, as before, and read nothing.
    'http://localhost:5173',
  ])('%j is told in advance which variable allows it', async (origin) => {
    for (const path of ['/trpc/organisation.get', '/mcp']) {
      const answer = await preflight(path, origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      const body: unknown = await answer.json();
      expect(at(body, path === '/mcp' ? 'error.message' : 'error.json.message')).toBe(refusal);
    }
  });

  test('has no call answered', async () => {
    const before = upstream.seen.length;
    const headers = { origin: 'https://evil.example', authorization: 'Bearer k' };
    for (const answer of [await ask('/trpc/organisation.get', { headers }), await listTools('https://evil.example')]) {
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(await answer.text()).toContain(refusal);
    }
    expect(upstream.seen.length).toBe(before);
  });

  test('reads nothing outside of /trpc and /mcp, allowed or not', async () => {
    const answer = await ask('/healthz', { headers: { origin: app } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
  });
});

test.each(['', '/mcp'])(
  'a page of any origin reads the OAuth metadata (%s), as a client in a browser does',
  async (path) => {
    const address = `/.well-known/oauth-protected-resource${path}`;
    for (const origin of [app, 'https://inspector.example.com', 'null']) {
      const before = await preflight(address, origin, 'GET');
      expect([before.status, before.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(names(before.headers.get('access-control-allow-headers'))).toContain('mcp-protocol-version');
      const answer = await ask(address, { headers: { origin, 'mcp-protocol-version': '2025-11-25' } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  },
);

test('OPTIONS that no browser sends in advance is answered as before', async () => {
  expect((await ask('/trpc/organisation.get', { method: 'OPTIONS' })).status).toBe(415);
});

test('a Host of the cluster is served, and another one is told which variables name hosts', async () => {
  const asked = (host: string) =>
    request(gateway.url).get('/trpc/organisation.get').set({ host, authorization: 'Bearer k' });
  expect((await asked('postern.default.svc:3000')).status).toBe(200);
  const { status, body } = await asked('postern.other.svc');
  const message = 'this host name is not served here: PUBLIC_URL and ALLOWED_HOSTS name those that are';
  expect([status, at(body, 'error.message')]).toEqual([403, message]);
});

describe.skipIf(!hasChromium)('in a browser', () => {
  test('an allowed page calls with its key and reads the limits; another one reads nothing', async () => {
    const site = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<title>a page</title>'));
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const url = `http://127.0.0.1:${portOf(site.address())}`;
    const open = await startGateway({ serviceUrl: upstream.url, allowedOrigins: new Set([url]) });
    const context = await (await openBrowser()).newContext();
    try {
      const page = await context.newPage();
      const read = (credentials: string) =>
        page.evaluate(
          `fetch('${open.url}/trpc/organisation.get', { credentials: '${credentials}', headers: { authorization: 'Bearer busy', 'trpc-accept': 'application/json' } })
            .then((answer) => [answer.status, answer.headers.get('retry-after'), answer.headers.has('x-request-id')], () => 'blocked')`,
        );
      await page.goto(url);
      expect(await read('omit')).toEqual([429, '7', true]);
      expect(await read('include')).toBe('blocked');
      await page.goto(url.replace('127.0.0.1', 'localhost'));
      expect(await read('omit')).toBe('blocked');
    } finally {
      await context.close();
      await open.close();
      site.close();
    }
  });
});
