import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { type Answer, answerJson, answerSample, type FakeUpstream, startUpstream } from '../../support/upstream.js';
import { errorAt, readCookie, send } from './browser.js';

let service: FakeUpstream;
let gateway: StartedGateway;
let answer: Answer;
let page: Record<string, string>;

beforeEach(async () => {
  answer = answerSample;
  service = await startUpstream((res, seen, req) => answer(res, seen, req));
  gateway = await startGateway({ serviceUrl: service.url });
  page = { origin: gateway.url, cookie: 'postern_session=their%2Btoken' };
});
afterEach(async () => {
  await gateway.close();
  await service.close();
});

const at = () => `${gateway.url}/trpc/session-cookie`;
const expires_at = '2126-01-01T00:00:00Z';

describe('a gateway before a service of another make', () => {
  test('signs in through it, and keeps whatever it calls a token', async () => {
    const token = 'opaque+/=~;,"token';
    answer = (res) => answerJson(res, 200, { token, expires_at });
    const credentials = { email: 'ada@example.com', password: 'secret-word' };
    const { status, body, cookies } = await send(at(), { method: 'POST', headers: page, body: credentials });
    expect([status, body]).toEqual([200, { expires_at: '2126-01-01T00:00:00.000Z' }]);
    const [seen] = service.seen;
    expect([seen?.method, seen?.url, JSON.parse(seen?.body ?? '')]).toEqual(['POST', '/api/session', credentials]);
    // Neither the cookie of before nor anything of the page goes along.
    for (const name of ['authorization', 'cookie', 'origin']) expect(seen?.headers).not.toHaveProperty(name);
    answer = answerSample;
    const { pair } = readCookie(cookies[0]);
    expect((await send(`${gateway.url}/trpc/organisation.get`, { headers: { ...page, cookie: pair } })).status).toBe(
      200,
    );
    expect(service.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('without renewal answers not_found, and leaves the cookie as it is', async () => {
    answer = (res) => answerJson(res, 404, {});
    const { status, body, cookies } = await send(`${at()}/renewal`, { method: 'POST', headers: page });
    expect([status, errorAt(body, 'failure'), cookies]).toEqual([404, 'not_found', []]);
    expect(service.seen.at(-1)?.headers.authorization).toBe('Bearer their+token');
  });

  test.each([
    [503, 503, 'unavailable'],
    [500, 502, 'upstream_error'],
    [429, 429, 'rate_limited'],
  ])(
    'that answers %i: a renewal says so and leaves the cookie, signing out takes it away',
    async (given, status, failure) => {
      answer = (res) => answerJson(res, given, { detail: 'SECRET-DETAIL' });
      const renewal = await send(`${at()}/renewal`, { method: 'POST', headers: page });
      expect([renewal.status, errorAt(renewal.body, 'failure'), renewal.cookies]).toEqual([status, failure, []]);
      const out = await send(at(), { method: 'DELETE', headers: page });
      expect([out.status, errorAt(out.body, 'failure'), out.cookies.length]).toEqual([status, failure, 1]);
      expect(JSON.stringify([renewal.body, out.body])).not.toContain('SECRET');
    },
  );

  test('whose token no cookie holds cannot be signed in to by a page', async () => {
    answer = (res) => answerJson(res, 200, { token: 't'.repeat(4_000), expires_at });
    const body = { email: 'ada@example.com', password: 'p' };
    const refused = await send(at(), { method: 'POST', headers: page, body });
    expect([refused.status, errorAt(refused.body, 'failure'), refused.cookies]).toEqual([502, 'upstream_error', []]);
    expect(JSON.stringify(refused.body)).not.toContain('tttt');
  });

  test('whose answer is not one of the API gives no session', async () => {
    answer = (res) => answerJson(res, 200, { token: 7, expires_at: 'never' });
    const body = { email: 'ada@example.com', password: 'p' };
    const refused = await send(at(), { method: 'POST', headers: page, body });
    expect([refused.status, errorAt(refused.body, 'failure'), refused.cookies]).toEqual([502, 'upstream_error', []]);
  });

  test('a session that has ended already when it begins has a cookie of no time', async () => {
    answer = (res) => answerJson(res, 200, { token: 't', expires_at: '2020-01-01T00:00:00Z' });
    const body = { email: 'ada@example.com', password: 'p' };
    const { cookies } = await send(at(), { method: 'POST', headers: page, body });
    expect(readCookie(cookies[0]).attributes).toContain('Max-Age=0');
  });
});
