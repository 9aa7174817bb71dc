import { afterEach, describe, expect, test } from 'vitest';
import { createPosternClient } from '../../src/client/index.js';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import { sampleOf } from '../support/sample.js';
import { answerJson, type FakeUpstream, procedureOf, startUpstream } from '../support/upstream.js';

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service that answers each key with its own name under ids that look the same for all. */
async function start(): Promise<{ upstream: FakeUpstream; gateway: StartedGateway }> {
  const upstream = await startUpstream((res, seen) => {
    const sample = sampleOf(procedureOf(seen).output);
    answerJson(res, 200, { ...Object(sample), name: seen.headers.authorization });
  });
  const gateway = await startGateway({ serviceUrl: upstream.url });
  closers.push(upstream.close, gateway.close);
  return { upstream, gateway };
}

test('1,000 interleaved calls with 50 keys on both transports: no answer reaches another key’s caller', async () => {
  const { gateway, upstream } = await start();
  const keys = Array.from({ length: 50 }, (_, index) => `key_${index}`);
  const clients = new Map(keys.map((key) => [key, createPosternClient({ url: gateway.url, credential: key })]));
  const calls = Array.from({ length: 20 }, (_, round) =>
    keys.map(async (key, index) => {
      if ((round + index) % 2 === 0) {
        const project = await clients.get(key)?.projects.get.query({ project_id: 'p1' });
        return [key, project?.name];
      }
      const { structuredContent } = await callTool(
        gateway,
        'get_project',
        { project_id: 'p1' },
        { headers: { 'x-service-key': key } },
      );
      return [key, Object(structuredContent).name];
    }),
  ).flat();
  const answers = await Promise.all(calls);
  expect(answers).toHaveLength(1_000);
  expect(answers.filter(([key, name]) => name !== `Bearer ${key}`)).toEqual([]);
  expect(upstream.seen).toHaveLength(1_000);
});

describe('what travels to the service', () => {
  const sent = {
    authorization: 'Bearer k',
    cookie: 'session=1',
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=10.0.0.1',
    'x-service-key': 'other',
    'x-api-url': 'http://evil.example',
    baggage: 'a=1',
    origin: 'http://localhost',
    referer: 'http://localhost/secret',
    'user-agent': 'browser',
    'accept-language': 'de',
    'x-request-id': 'req-7',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=1',
  };

  test.each(['trpc', 'mcp'])('from %s is the allowlist and nothing else', async (transport) => {
    const { gateway, upstream } = await start();
    if (transport === 'mcp') await callTool(gateway, 'create_project', { name: 'n' }, { headers: sent });
    else {
      await fetch(`${gateway.url}/trpc/projects.create`, {
        method: 'POST',
        headers: { ...sent, 'content-type': 'application/json' },
        body: JSON.stringify({ json: { name: 'n' } }),
      });
    }
    const [{ headers } = { headers: {} }] = upstream.seen;
    expect(headers).toEqual({
      host: new URL(upstream.url).host,
      connection: 'keep-alive',
      'content-length': expect.any(String),
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer k',
      'user-agent': 'postern/0.1.0',
      'x-request-id': 'req-7',
      traceparent: sent.traceparent,
      tracestate: sent.tracestate,
    });
  });

  test('an ill-formed trace or request id does not travel', async () => {
    const { gateway, upstream } = await start();
    await callTool(
      gateway,
      'get_org',
      {},
      { headers: { authorization: 'Bearer k', traceparent: 'x', tracestate: 'a=1', 'x-request-id': 'a b' } },
    );
    const headers = upstream.seen[0]?.headers;
    expect(headers).not.toHaveProperty('traceparent');
    expect(headers).not.toHaveProperty('tracestate');
    expect(headers?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('MCP’s _meta may carry the trace', async () => {
    const { gateway, upstream } = await start();
    await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer k',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_org', arguments: {}, _meta: { traceparent: sent.traceparent } },
      }),
    }).then((response) => response.text());
    expect(upstream.seen[0]?.headers['traceparent']).toBe(sent.traceparent);
  });
});

describe('which credential', () => {
  test.each([
    [{ authorization: 'Bearer a' }, 'Bearer a'],
    [{ 'x-service-key': 'b' }, 'Bearer b'],
    [{ authorization: 'Bearer a', 'x-service-key': 'b' }, 'Bearer a'],
  ])('%j is forwarded as %j', async (headers, expected) => {
    const { gateway, upstream } = await start();
    expect((await callTool(gateway, 'get_org', {}, { headers })).isError).toBe(false);
    await fetch(`${gateway.url}/trpc/organisation.get`, { headers });
    expect(upstream.seen.map((seen) => seen.headers.authorization)).toEqual([expected, expected]);
  });

  test.each([
    {},
    { authorization: 'Basic dTpw' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer a b', 'x-service-key': 'b' },
    { 'x-service-key': 'a b' },
    { 'x-service-key': 'k'.repeat(5_000) },
  ])('%# is none: the call fails without asking the service', async (headers) => {
    const { gateway, upstream } = await start();
    const answer = await callTool(gateway, 'get_org', {}, { headers });
    expect([answer.isError, answer.text]).toEqual([true, 'authentication failed']);
    const response = await fetch(`${gateway.url}/trpc/organisation.get`, { headers });
    expect(response.status).toBe(401);
    expect(upstream.seen).toEqual([]);
  });

  test('a public procedure needs none and carries none', async () => {
    const { gateway, upstream } = await start();
    const input = { email: 'ada@example.com', password: 'correct horse' };
    for (const credential of [undefined, 'k']) {
      await createPosternClient({ url: gateway.url, ...(credential && { credential }) }).session.create.mutate(input);
    }
    expect(upstream.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/session', undefined],
      ['/api/session', undefined],
    ]);
  });
});

test('a credential is in no log line, error or answer, whatever goes wrong', async () => {
  const marker = 'MARKER_0123456789abcdef';
  const answers = [200, 401, 403, 404, 409, 422, 429, 500].values();
  const upstream = await startUpstream((res, seen) => {
    const { value: status = 302 } = answers.next();
    if (status === 200) answerJson(res, 200, sampleOf(procedureOf(seen).output));
    else
      answerJson(
        res,
        status,
        { detail: seen.headers.authorization, errors: [{ field: marker, message: marker }], reason: marker },
        { location: `/${marker}` },
      );
  });
  const gateway = await startGateway({ serviceUrl: upstream.url, limitMs: 2_000 });
  closers.push(upstream.close, gateway.close);
  const texts: string[] = [];
  const headers = { authorization: `Bearer ${marker}` };
  for (let call = 0; call < 5; call++) {
    texts.push((await callTool(gateway, 'create_project', { name: 'n' }, { headers })).raw);
    const response = await fetch(`${gateway.url}/trpc/projects.create`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"json":{"name":"n"}}',
    });
    texts.push(await response.text(), JSON.stringify([...response.headers]));
  }
  for (const request of [
    { path: '/trpc/projects.create', body: `{"json":${marker}` },
    { path: '/mcp', body: `{"json":${marker}` },
    { path: `/${marker}`, body: '{}' },
    { path: '/mcp', body: `{"jsonrpc":"2.0","id":1,"method":"${marker}"}` },
  ]) {
    const response = await fetch(`${gateway.url}${request.path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: request.body,
    });
    if (!request.body.includes('method')) texts.push(await response.text());
  }
  expect(texts).toHaveLength(18);
  expect(gateway.lines.length).toBeGreaterThanOrEqual(10);
  expect([...texts, ...gateway.lines].filter((line) => line.includes(marker))).toEqual([]);
});
