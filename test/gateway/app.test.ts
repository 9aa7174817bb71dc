import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text as streamText } from 'node:stream/consumers';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestGateway, type TestGateway } from '../support/gateway.js';
import { answerJson, type FakeUpstream, portOf, startUpstream } from '../support/upstream.js';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = createTestGateway({
    serviceUrl: `${upstream.url}/prefix/`,
    allowedHosts: ['Posture.example.com'],
    routes: [
      {
        path: '/extra',
        handler: (req, res) => {
          if (req.path === '/broken') throw new Error('SECRET-DETAIL');
          res.json({ extra: true });
        },
      },
    ],
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A plain request, as it is written: no redirects, no change of the body. */
async function send({ method = 'GET', path, headers = {}, body }: Sent, { app }: TestGateway = gateway) {
  const sent = new request.Test(app, method, path).set(headers).redirects(0).buffer(true);
  const response = await (body === undefined ? sent : sent.send(body));
  return {
    status: response.status,
    type: String(response.headers['content-type']),
    headers: response.headers,
    body: response.text,
  };
}

const callTool = (name: string, input: object, headers: Record<string, string>) =>
  send({
    method: 'POST',
    path: '/mcp',
    headers: { ...json, ...key, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const key = { authorization: 'Bearer k' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('probes', () => {
  test('/mcp/health answers ok to anybody, under any Host', async () => {
    expect(await send({ path: '/mcp/health', headers: { host: '10.1.2.3:8080' } })).toMatchObject({
      status: 200,
      body: 'ok',
      type: 'text/plain; charset=utf-8',
    });
  });

  test('/healthz is alive', async () => {
    expect(await send({ path: '/healthz' })).toMatchObject({ status: 200, body: '{"status":"alive"}' });
  });

  /** The status of /readyz before a service that answers its health check and a request without a credential so. */
  async function readiness(health: number, session: number) {
    const service = await startUpstream((res, { url }) =>
      answerJson(res, url === '/api/healthz' ? health : session, {}),
    );
    const before = createTestGateway({ serviceUrl: service.url });
    const { status, body } = await send({ path: '/readyz' }, before);
    for (const { headers } of service.seen) expect(headers).not.toHaveProperty('authorization');
    await service.close();
    const down = await send({ path: '/readyz' }, before);
    expect([down.status, down.body]).toEqual([503, '{"status":"the service is not there"}']);
    await before.close();
    return [status, body];
  }

  test('/readyz is ready while the service can serve: its health check needs its database', async () => {
    expect(await readiness(200, 401)).toEqual([200, '{"status":"ready"}']);
    expect(await readiness(503, 401)).toEqual([503, '{"status":"the service is not there"}']);
  });

  test('/readyz asks a service without a health check for a session', async () => {
    expect(await readiness(404, 401)).toEqual([200, '{"status":"ready"}']);
    expect(await readiness(404, 500)).toEqual([503, '{"status":"the service is not there"}']);
  });

  test('/readyz says no while the service of this process begins', async () => {
    const service = await startUpstream((res) => answerJson(res, 200, {}));
    let isStarting = true;
    const starting = createTestGateway({ serviceUrl: service.url, isStarting: () => isStarting });
    expect(await send({ path: '/readyz' }, starting)).toMatchObject({ status: 503, body: '{"status":"starting"}' });
    expect(await send({ path: '/healthz' }, starting)).toMatchObject({ status: 200 });
    isStarting = false;
    expect(await send({ path: '/readyz' }, starting)).toMatchObject({ status: 200, body: '{"status":"ready"}' });
    await starting.close();
    await service.close();
  });

  test('a gateway that is to stop says so, serves on, and closes each connection', async () => {
    const stopping = createTestGateway({ serviceUrl: upstream.url });
    stopping.drain();
    expect(await send({ path: '/readyz' }, stopping)).toMatchObject({ status: 503, body: '{"status":"stopping"}' });
    const { status, headers } = await send({ path: '/healthz' }, stopping);
    expect([status, headers['connection']]).toEqual([200, 'close']);
    await stopping.close();
  });
});

describe('Host and Origin', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80'])(
    'a Host of %j is refused',
    async (host) => {
      const mcp = await send({ method: 'POST', path: '/mcp', headers: { ...json, host }, body: list });
      const trpc = await send({ path: '/trpc/organisation.get', headers: { ...key, host } });
      for (const { status, type } of [mcp, trpc])
        expect([status, type]).toEqual([403, 'application/json; charset=utf-8']);
    },
  );

  test.each(['localhost:3000', '127.0.0.1', '[::1]:80', 'posture.example.com', 'posture.example.com:8443'])(
    'a Host of %j is served',
    async (host) => {
      expect((await send({ method: 'POST', path: '/mcp', headers: { ...json, host }, body: list })).status).toBe(200);
    },
  );

  test.each(['https://evil.example', 'null', 'https://posture.example.com.evil.example', 'nonsense'])(
    'an Origin of %j is refused',
    async (origin) => {
      for (const sent of [
        { method: 'POST', path: '/mcp', headers: { ...json, origin }, body: list },
        { path: '/trpc/organisation.get', headers: { ...key, origin } },
      ]) {
        const { status, body, type } = await send(sent);
        expect([status, type]).toEqual([403, 'application/json; charset=utf-8']);
        expect(body).not.toContain('evil');
      }
    },
  );

  test('an Origin of our own is served', async () => {
    const { status } = await send({
      path: '/trpc/organisation.get',
      headers: { ...key, origin: 'https://posture.example.com' },
    });
    expect(status).toBe(200);
  });
});

describe('a raw request', () => {
  async function statusOf(text: string): Promise<string> {
    const server = createServer(gateway.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect(portOf(server.address()), '127.0.0.1', () => socket.end(text));
    const answer = await streamText(socket);
    server.close();
    return answer.slice(9, 12);
  }

  test.each([
    ['GET /trpc/x HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n', '400'],
    ['GET /trpc/x HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n', '400'],
    ['GET http://evil.example/trpc/x HTTP/1.1\r\nHost: localhost\r\n', '403'],
    ['GET http://localhost/trpc/x HTTP/1.1\r\nHost: evil.example\r\n', '404'],
    ['GET ftp:x HTTP/1.1\r\nHost: localhost\r\n', '400'],
    ['GET /trpc/x HTTP/1.1\r\nHost: localhost\r\n', '404'],
  ])('%j is answered %s', async (lines, status) => {
    expect(await statusOf(`${lines}Connection: close\r\n\r\n`)).toBe(status);
  });
});

describe('what is no call', () => {
  test('JSON that nests too deeply is refused, whatever part of the request it is', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    for (const [levels, status] of [
      [40, 200],
      [100, 400],
      [30_000, 400],
    ] as const) {
      const params = [`{"name":"get_project","arguments":${deep(levels)}}`, `{"name":"x","_meta":${deep(levels)}}`];
      for (const each of params.slice(0, levels === 40 ? 1 : 2)) {
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${each}}`;
        const mcp = await send({ method: 'POST', path: '/mcp', headers: { ...json, ...key }, body });
        expect([levels, mcp.status]).toEqual([levels, status]);
        if (status === 400) expect(JSON.parse(mcp.body).error.code).toBe(-32600);
      }
    }
    const body = `{"json":{"project_id":"p","document":${deep(30_000)}}}`;
    const trpc = await send({ method: 'POST', path: '/trpc/techStack.uploadSbom', headers: { ...json, ...key }, body });
    expect([trpc.status, JSON.parse(trpc.body).error.json.data.failure]).toEqual([400, 'invalid_input']);
  });

  test.each([
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/jsonx',
  ])('a post of %s is refused on both transports', async (type) => {
    const before = upstream.seen.length;
    const trpc = await send({
      method: 'POST',
      path: '/trpc/session.end',
      headers: { ...key, 'content-type': type },
      body: '{}',
    });
    const mcp = await send({
      method: 'POST',
      path: '/mcp',
      headers: { ...json, ...key, 'content-type': type },
      body: list,
    });
    expect([trpc.status, mcp.status]).toEqual([415, 415]);
    expect(upstream.seen).toHaveLength(before);
  });

  test('a post without a content type is refused', async () => {
    expect((await send({ method: 'POST', path: '/trpc/session.end', headers: key })).status).toBe(415);
  });

  test('a body over 256 kB is refused on both transports', async () => {
    const body = JSON.stringify({ json: { name: 'x'.repeat(300_000) } });
    const trpc = await send({ method: 'POST', path: '/trpc/projects.create', headers: { ...json, ...key }, body });
    const mcp = await send({ method: 'POST', path: '/mcp', headers: { ...json, ...key }, body });
    expect([trpc.status, mcp.status]).toEqual([413, 413]);
    expect([JSON.parse(trpc.body).error.json.message, JSON.parse(mcp.body).error]).toEqual([
      'the request is larger than 256 kB',
      { code: -32600, message: 'the request is larger than 256 kB' },
    ]);
  });

  test('a batch of eleven is refused on both transports, one of ten is served', async () => {
    const trpc = (calls: number) =>
      send({ path: `/trpc/${Array(calls).fill('organisation.get').join(',')}?batch=1`, headers: key });
    const mcp = (calls: number) =>
      send({
        method: 'POST',
        path: '/mcp',
        headers: { ...json, ...key },
        body: JSON.stringify(Array.from({ length: calls }, (_, id) => ({ ...JSON.parse(list), id }))),
      });
    expect([(await trpc(10)).status, (await trpc(11)).status]).toEqual([200, 400]);
    expect([(await mcp(10)).status, (await mcp(11)).status]).toEqual([200, 400]);
  });

  test('JSON that cannot be read is a parse error', async () => {
    const mcp = await send({ method: 'POST', path: '/mcp', headers: { ...json, ...key }, body: '{"a":SECRET' });
    expect([mcp.status, JSON.parse(mcp.body)]).toEqual([
      400,
      { jsonrpc: '2.0', error: { code: -32700, message: 'the request cannot be read' }, id: null },
    ]);
    const trpc = await send({
      method: 'POST',
      path: '/trpc/projects.create',
      headers: { ...json, ...key },
      body: '{"a":SECRET',
    });
    expect(trpc.status).toBe(400);
    expect(trpc.body).not.toContain('SECRET');
  });

  test.each([
    ['GET', '/nothing', 404],
    ['POST', '/', 404],
    ['GET', '/%ZZ', 404],
    ['GET', '/trpc/nothing.at.all', 404],
    ['GET', '/trpc/projects.create', 405],
    ['GET', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['GET', '/extra/broken', 500],
  ])('%s %s is JSON with status %i', async (method, path, status) => {
    const answer = await send({ method, path, headers: key });
    expect([answer.status, answer.type.split(';')[0]]).toEqual([status, 'application/json']);
    expect(answer.body).not.toMatch(/<|SECRET|\.ts:|node_modules/);
    JSON.parse(answer.body);
  });

  test('what the gateway does wrong is logged with its stack', () => {
    expect(gateway.lines.some((line) => line.includes('SECRET-DETAIL') && line.includes('app.test.ts'))).toBe(true);
  });
});

describe('every answer', () => {
  test('carries a request id, the caller’s own if it is sane', async () => {
    expect((await send({ path: '/healthz', headers: { 'x-request-id': 'abc-1' } })).headers['x-request-id']).toBe(
      'abc-1',
    );
    for (const bad of ['a b', 'x'.repeat(65), '<script>']) {
      expect((await send({ path: '/healthz', headers: { 'x-request-id': bad } })).headers['x-request-id']).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
  });

  test('has secure headers and does not name its framework', async () => {
    for (const path of ['/healthz', '/trpc/organisation.get', '/nothing', '/extra']) {
      const { headers } = await send({ path, headers: key });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });
});

test('the path prefix of the service’s address is kept', async () => {
  await callTool('get_org', {}, {});
  expect(upstream.seen.at(-1)?.url).toBe('/prefix/api/org');
});

test('one log line a call', async () => {
  const before = gateway.lines.length;
  await callTool('get_project', { project_id: 'p1' }, { 'x-request-id': 'one-line' });
  const lines = gateway.lines.slice(before).map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({
      request_id: 'one-line',
      face: 'mcp',
      procedure: 'projects.get',
      status: 'ok',
      duration_ms: expect.any(Number),
      upstream_ms: expect.any(Number),
      tries: 1,
    }),
  ]);
});
