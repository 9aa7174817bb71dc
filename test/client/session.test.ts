import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPosternError, renewSession, signIn, signOut } from '../../src/client/index.js';
import { startGateway } from '../support/gateway.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { answerJson, startUpstream } from '../support/upstream.js';

let postern: TestPostern;
beforeAll(async () => {
  postern = await startPostern();
});
afterAll(() => postern.close());

/** What a browser does: it keeps the cookie, and says where the request comes from. */
function browser(origin: string): typeof fetch {
  let cookie = '';
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...Object(init?.headers), origin, cookie } });
    for (const field of response.headers.getSetCookie()) cookie = field.split(';')[0] ?? '';
    return response;
  };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (isPosternError(error) ? error.data.failure : 'no answer'),
  );

describe('a session', () => {
  test('is begun, renewed and ended', async () => {
    const { member } = await postern.newOrganisation();
    const door = { url: `${postern.url}/`, fetch: browser(postern.url) };
    const { expires_at } = await signIn({ ...door, email: member.email, password: member.password });
    expect(expires_at).toBeInstanceOf(Date);
    expect(expires_at.getTime()).toBeGreaterThan(Date.now());
    expect((await renewSession(door))?.expires_at).toBeInstanceOf(Date);
    expect(await signOut(door)).toEqual({ ended: true, logout_url: null });
    expect(await signOut(door)).toEqual({ ended: false, logout_url: null });
    expect(await failureOf(renewSession(door))).toBe('unauthenticated');
  });

  test('fails as calls do', async () => {
    const { member } = await postern.newOrganisation();
    const door = { url: postern.url, fetch: browser(postern.url) };
    expect(await failureOf(signIn({ ...door, email: member.email, password: 'wrong' }))).toBe('unauthenticated');
    expect(await failureOf(signIn({ ...door, email: 'x'.repeat(300), password: 'p' }))).toBe('invalid_input');
    const other = browser('http://127.0.0.1:1');
    expect(await failureOf(signIn({ ...door, fetch: other, email: member.email, password: 'p' }))).toBe('forbidden');
  });

  test('of a service without renewal has none', async () => {
    const service = await startUpstream((res) => answerJson(res, 404, {}));
    const gateway = await startGateway({ serviceUrl: service.url });
    const fetchWithCookie: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { origin: gateway.url, cookie: 'postern_session=t' } });
    expect(await renewSession({ url: gateway.url, fetch: fetchWithCookie })).toBeNull();
    await gateway.close();
    await service.close();
  });

  test.each([
    ['nothing', () => Promise.reject(new TypeError('fetch failed'))],
    ['a page', async () => new Response('<html>', { status: 200 })],
    ['an error of a proxy', async () => new Response('{"error":{"code":"x"}}', { status: 502 })],
  ] as const)('where the answer is %s, is no error of the gateway', async (_what, answer) => {
    const error = await signIn({ url: postern.url, fetch: answer, email: 'a', password: 'b' }).catch(
      (thrown) => thrown,
    );
    expect([error instanceof Error, isPosternError(error)]).toEqual([true, false]);
  });
});
