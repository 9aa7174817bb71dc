import { afterEach, describe, expect, test } from 'vitest';
import { forwardedAddress } from '../../src/shared/http/forwarded-caller.js';
import { defaultLimits, type LimitSettings } from '../../src/shared/limits/limit-settings.js';
import { at } from '../support/at.js';
import { eventually } from '../support/eventually.js';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import { gate } from '../support/posture-service.js';
import { type Answer, answerJson, answerSample, type FakeUpstream, startUpstream } from '../support/upstream.js';

let gateway: StartedGateway;
let upstream: FakeUpstream;
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

async function start(limits: Partial<LimitSettings>, answer: Answer = answerSample): Promise<void> {
  upstream = await startUpstream(answer);
  gateway = await startGateway({
    ...{ serviceUrl: upstream.url, limits: { ...defaultLimits, ...limits } },
    ...{ trustProxy: 1, callerHeaders: forwardedAddress },
  });
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });

async function callTrpc(key: string, path = 'projects.list') {
  const answer = await fetch(`${gateway.url}/trpc/${path}`, { headers: headersOf(key) });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('the rate of a credential', () => {
  test('is in the header of an answer through tRPC', async () => {
    await start({});
    await callTrpc('key-one');
    const { status, headers } = await callTrpc('key-one');
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe('"credential";q=6000;w=10');
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=5998;t=\d+$/);
  });

  test('ends in 429 through tRPC, with when to come back, and asks the service nothing', async () => {
    await start({ ratePerCredential: 1 });
    await callTrpc('key-one');
    const asked = upstream.seen.length;
    const { status, headers, body } = await callTrpc('key-one');
    expect(status).toBe(429);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+$/);
    expect(at(body, 'error.json.data.failure')).toBe('rate_limited');
    expect(at(body, 'error.json.data.retryAfterSeconds')).toBe(seconds);
    expect(upstream.seen).toHaveLength(asked);
    expect((await callTrpc('key-two')).status).toBe(200);
  });

  test('ends in a tool’s error through MCP that says when to come back', async () => {
    await start({ ratePerCredential: 1 });
    const call = () => callTool(gateway, 'list_projects', {}, { headers: headersOf('key-one') });
    expect((await call()).isError).toBe(false);
    const { isError, text } = await call();
    expect(isError).toBe(true);
    expect(text).toMatch(/^too many requests: retry after \d+ s$/);
  });

  test('is in the header of an answer through MCP', async () => {
    await start({});
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headersOf('key-one'),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_projects', arguments: {} },
      }),
    });
    expect(answer.headers.get('ratelimit')).toMatch(/^"credential";r=5999;t=\d+$/);
    await answer.text();
  });

  test('counts each call of a batch, and a composite as its parts', async () => {
    await start({ ratePerCredential: 3 });
    const batch = await callTrpc('key-one', 'projects.list,projects.list,projects.list,projects.list?batch=1');
    const statuses = [0, 1, 2, 3].map((nth) => at(batch.body, `${nth}.error.json.data.failure`) ?? 'ok');
    expect(statuses.toSorted()).toEqual(['ok', 'ok', 'ok', 'rate_limited']);
    const composite = await callTrpc('key-two', 'posture.getSummary');
    expect(composite.status).toBe(429);
  });

  test('is the same by either header that carries it', async () => {
    await start({ ratePerCredential: 1 });
    await callTrpc('key-one');
    const answer = await fetch(`${gateway.url}/trpc/projects.list`, { headers: { 'x-service-key': 'key-one' } });
    expect(answer.status).toBe(429);
  });
});

test('calls at once of one credential are bounded', async () => {
  const { opened, open } = gate();
  await start({ atOncePerCredential: 2 }, async (res, seen) => {
    await opened;
    await answerSample(res, seen);
  });
  const running = [callTrpc('key-one'), callTrpc('key-one')];
  await eventually(() => expect(upstream.seen).toHaveLength(2));
  const { status, headers } = await callTrpc('key-one');
  expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  open();
  expect((await Promise.all(running)).map((each) => each.status)).toEqual([200, 200]);
  expect((await callTrpc('key-one')).status).toBe(200);
});

test('calls of one credential leave another its turn, and what waits too long is refused before it is begun', async () => {
  const { opened, open } = gate();
  await start({ maxWaitMs: 100 }, async (res, seen) => {
    if (seen.headers.authorization === 'Bearer key-one') await opened;
    await answerSample(res, seen);
  });
  const running = Array.from({ length: 16 }, () => callTrpc('key-one'));
  await eventually(() => expect(upstream.seen).toHaveLength(16));
  const refused = await callTrpc('key-one');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
  expect(at(refused.body, 'error.json.message')).toMatch(/^the service is busy or away; retry after \d+ s/);
  expect(upstream.seen).toHaveLength(16);
  expect((await callTrpc('key-two')).status).toBe(200);
  open();
  expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
});

describe('calls without a credential', () => {
  const signIn = (from: string) =>
    fetch(`${gateway.url}/trpc/session.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ json: { email: 'grace@example.com', password: 'a long password' } }),
    });

  async function startHanging(limits: Partial<LimitSettings>) {
    const { opened, open } = gate();
    await start(limits, async (res, seen) => {
      if (seen.headers['x-forwarded-for'] === '203.0.113.1') await opened;
      await answerSample(res, seen);
    });
    return open;
  }

  test('from one address leave another one its turn', async () => {
    const open = await startHanging({ maxWaitMs: 100 });
    const running = Array.from({ length: 16 }, () => signIn('203.0.113.1'));
    await eventually(() => expect(upstream.seen).toHaveLength(16));
    expect((await signIn('203.0.113.1')).status).toBe(503);
    expect((await signIn('203.0.113.2')).status).toBe(200);
    open();
    expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
  });

  test('at once are bounded by address', async () => {
    const open = await startHanging({ atOncePerCredential: 2 });
    const running = [signIn('203.0.113.1'), signIn('203.0.113.1')];
    await eventually(() => expect(upstream.seen).toHaveLength(2));
    const refused = await signIn('203.0.113.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await signIn('203.0.113.2')).status).toBe(200);
    open();
    await Promise.all(running);
  });
});

describe('a service that is busy', () => {
  const busy: Answer = (res) => {
    res.setHeader('retry-after', '7');
    answerJson(res, 503, { code: 'unavailable' });
  };

  test('is 503 with its Retry-After through tRPC', async () => {
    await start({}, busy);
    const { status, headers, body } = await callTrpc('key-one');
    expect([status, headers.get('retry-after')]).toEqual([503, '7']);
    expect(at(body, 'error.json.data')).toMatchObject({ failure: 'unavailable', retryAfterSeconds: 7 });
  });

  test('is a tool’s error through MCP that says when to come back', async () => {
    await start({}, busy);
    const { isError, text } = await callTool(gateway, 'list_projects', {}, { headers: headersOf('key-one') });
    expect(isError).toBe(true);
    expect(text).toMatch(/^the service is busy or away; retry after 7 s \(request [\w-]+\)$/);
  });
});
