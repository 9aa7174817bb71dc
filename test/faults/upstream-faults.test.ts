import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPosternClient, isPosternError } from '../../src/client/index.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { callTool, type StartedGateway, startGateway } from '../support/gateway.js';
import { type Answer, answerJson, answerSample, type FakeUpstream, startUpstream } from '../support/upstream.js';

const foreign = 'UPSTREAM-TEXT';
const limitMs = 700;
/** Room for a busy machine; a call that is not ended by its deadline takes for ever. */
const slackMs = 20_000;
const headers = { authorization: 'Bearer k', 'x-request-id': 'req-1' };

const closers: Array<() => Promise<unknown>> = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', onRejection);
});
afterAll(() => {
  process.off('unhandledRejection', onRejection);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  expect(rejections).toEqual([]);
});

async function start(answer: Answer, limit = slackMs): Promise<{ upstream: FakeUpstream; gateway: StartedGateway }> {
  const upstream = await startUpstream(answer);
  closers.push(upstream.close);
  return { upstream, gateway: await startBefore(upstream.url, limit) };
}

async function startBefore(serviceUrl: string, limit = slackMs): Promise<StartedGateway> {
  const gateway = await startGateway({ serviceUrl, limitMs: limit });
  closers.push(gateway.close);
  return gateway;
}

/** The failure of a read and of a write, through both transports, each within its deadline. */
async function fail(gateway: StartedGateway) {
  const client = createPosternClient({
    url: gateway.url,
    credential: 'k',
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
  });
  const startedAt = performance.now();
  const [read, write, tool] = await Promise.all([
    client.projects.get.query({ project_id: 'p' }).catch((error: unknown) => error),
    client.projects.create.mutate({ name: 'n' }).catch((error: unknown) => error),
    callTool(gateway, 'get_project', { project_id: 'p' }, { headers }),
  ]);
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeLessThan(limitMs + slackMs);
  if (!isPosternError(read) || !isPosternError(write))
    throw new Error(`no errors of the gateway: ${String(read)}, ${String(write)}`);
  expect(tool.isError).toBe(true);
  expect(tool.text).toBe(read.message);
  const all = JSON.stringify([read.shape, write.shape, tool.raw, gateway.lines]);
  expect(all).not.toContain(foreign);
  expect(all).not.toContain('127.0.0.1');
  return { failure: read.data.failure, httpStatus: read.data.httpStatus, read: read.message, write: write.message };
}

const couldNotAnswer = {
  failure: 'upstream_error',
  httpStatus: 502,
  read: 'the service could not answer; a retry may help (request req-1)',
  write:
    'the service could not answer; whether the change was made is not known: look before you retry (request req-1)',
};
const notUnderstood = {
  failure: 'upstream_error',
  httpStatus: 502,
  read: 'the service gave an answer that cannot be understood; a retry will not help (request req-1)',
  write:
    'the service gave an answer that cannot be understood; whether the change was made is not known; a retry will not help (request req-1)',
};
const timedOut = {
  failure: 'timeout',
  httpStatus: 504,
  read: 'the service did not answer within 0.7 s; a retry may help (request req-1)',
  write:
    'the service did not answer within 0.7 s; whether the change was made is not known: look before you retry (request req-1)',
};

const json = (res: ServerResponse, text: string, status = 200) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(text);

/** 50 MB of JSON, as fast as the reader takes it. */
function* muchJson(): Generator<string> {
  yield '{"items":["';
  const chunk = foreign.repeat(5_000);
  for (let sent = 0; sent < 50_000_000; sent += chunk.length) yield chunk;
  yield '"]}';
}

const writeMuch: Answer = (res) => {
  res.writeHead(200, { 'content-type': 'application/json' });
  pipeline(Readable.from(muchJson()), res, () => {});
};

/** With how the log names each. */
const faults: ReadonlyArray<readonly [name: string, answer: Answer, expected: typeof couldNotAnswer, logged: string]> =
  [
    ['a reset connection', (res) => void res.destroy(), couldNotAnswer, '{"kind":"broken"'],
    [
      'a connection closed within the body',
      (res) =>
        void res
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
          .write('{"a":', () => res.destroy()),
      couldNotAnswer,
      '{"kind":"broken"',
    ],
    ['no headers', () => {}, timedOut, '{"kind":"timeout"}'],
    [
      'headers and no body',
      (res) => res.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
      timedOut,
      '{"kind":"timeout"}',
    ],
    [
      'an error status and no body',
      (res) => res.writeHead(500, { 'content-type': 'application/json' }).flushHeaders(),
      timedOut,
      '{"kind":"timeout"}',
    ],
    ['500', (res) => answerJson(res, 500, { detail: foreign }), couldNotAnswer, '{"kind":"error_status","status":500}'],
    [
      '500 with HTML',
      (res) => void res.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${foreign}</h1>`),
      couldNotAnswer,
      '{"kind":"error_status","status":500}',
    ],
    [
      '500 with cut JSON',
      (res) => void json(res, `{"code":"${foreign}`, 500),
      couldNotAnswer,
      '{"kind":"error_status","status":500}',
    ],
    [
      'HTML',
      (res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${foreign}</h1>`),
      notUnderstood,
      '{"kind":"not_json","status":200}',
    ],
    [
      'JSON without its content type',
      (res) => void res.writeHead(200).end('{}'),
      notUnderstood,
      '{"kind":"not_json","status":200}',
    ],
    ['cut JSON', (res) => void json(res, `{"id":"${foreign}`), notUnderstood, '{"kind":"bad_json","status":200}'],
    [
      'another shape',
      (res) => void json(res, JSON.stringify({ [foreign]: foreign })),
      notUnderstood,
      '{"kind":"wrong_shape","field":"id","expected":"string"}',
    ],
    [
      'JSON that is no object',
      (res) => void json(res, `"${foreign}"`),
      notUnderstood,
      '{"kind":"wrong_shape","field":"","expected":"object"}',
    ],
    ['an empty body', (res) => void json(res, ''), notUnderstood, '{"kind":"bad_json","status":200}'],
    ['204', (res) => void res.writeHead(204).end(), notUnderstood, '{"kind":"not_json","status":204}'],
    ['a body of 50 MB', writeMuch, notUnderstood, '{"kind":"too_large"}'],
  ];

describe('what the service may do wrong becomes an error of the table, on both transports', () => {
  test.each(faults)('%s', async (_name, answer, expected, logged) => {
    // Only where the service is silent does the limit decide.
    const { gateway } = await start(answer, expected === timedOut ? limitMs : slackMs);
    expect(await fail(gateway)).toEqual(expected);
    expect(gateway.lines.join('')).toContain(`"faults":[${logged}`);
  });

  test('a closed port', async () => {
    const message = 'the service cannot be reached; try again shortly (request req-1)';
    expect(await fail(await startBefore(`http://127.0.0.1:${await freePort()}`))).toEqual({
      failure: 'unavailable',
      httpStatus: 503,
      read: message,
      write: message,
    });
  });

  test('a name that does not resolve', async () => {
    expect(await fail(await startBefore('http://service.invalid'))).toMatchObject({ failure: 'unavailable' });
  });

  test('429 with Retry-After', async () => {
    const { gateway, upstream } = await start((res) =>
      answerJson(res, 429, { detail: foreign }, { 'retry-after': '30' }),
    );
    const message = 'too many requests: retry after 30 s';
    expect(await fail(gateway)).toEqual({ failure: 'rate_limited', httpStatus: 429, read: message, write: message });
    expect(upstream.seen).toHaveLength(3);
  });

  test('a redirect to another host, which receives nothing', async () => {
    const other = await startUpstream();
    closers.push(other.close);
    const { gateway } = await start(
      (res) =>
        void res.writeHead(302, { location: `${other.url}/${foreign}`, 'content-type': 'application/json' }).end('{}'),
    );
    expect(await fail(gateway)).toEqual(notUnderstood);
    expect(other.seen).toEqual([]);
  });
});

describe('a service that is away', () => {
  test('is not asked again for a while, and is asked when it is back', async () => {
    const port = await freePort();
    const gateway = await startBefore(`http://127.0.0.1:${port}`);
    const call = () => callTool(gateway, 'get_project', { project_id: 'p' }, { headers });
    for (let calls = 0; calls < 5; calls++) await call();
    expect(await call()).toMatchObject({ isError: true });
    expect(gateway.lines.at(-1)).toContain('"tries":0,"faults":[{"kind":"circuit_open"}]');
    const back = createServer((req, res) =>
      answerSample(res, { method: 'GET', url: req.url ?? '', headers: {}, body: '' }),
    );
    back.listen(port, '127.0.0.1');
    await once(back, 'listening');
    closers.push(async () => {
      back.closeAllConnections();
      back.close();
    });
    await eventually(async () => expect((await call()).isError).toBe(false));
  });

  test.each([
    ['errors of one caller’s request', (res: ServerResponse) => answerJson(res, 500, {})],
    ['slow answers', () => {}],
    ['refusals', (res: ServerResponse) => answerJson(res, 503, {}, { 'retry-after': '9' })],
  ])('%s never close the way for others', async (_name, answer) => {
    const { gateway } = await start(
      (res, seen) => (seen.url.endsWith('/bad') ? answer(res) : answerSample(res, seen)),
      200,
    );
    for (let calls = 0; calls < 7; calls++)
      expect((await callTool(gateway, 'get_project', { project_id: 'bad' }, { headers })).isError).toBe(true);
    expect((await callTool(gateway, 'get_project', { project_id: 'good' }, { headers })).isError).toBe(false);
  });
});

describe('retries', () => {
  test.each([502, 503, 504])('a GET that meets %i is tried three times, a POST once', async (status) => {
    const { gateway, upstream } = await start((res) => answerJson(res, status, {}));
    const client = createPosternClient({ url: gateway.url, credential: 'k' });
    await client.projects.get.query({ project_id: 'p' }).catch(() => {});
    expect(upstream.seen).toHaveLength(3);
    await client.projects.create.mutate({ name: 'n' }).catch(() => {});
    await client.projects.delete.mutate({ project_id: 'p' }).catch(() => {});
    expect(upstream.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST', 'DELETE']);
  });

  test.each(['500', 'HTML', 'a 404'])('%s is final for a GET too', async (name) => {
    const { gateway, upstream } = await start((res) => {
      if (name === 'HTML') res.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
      else answerJson(res, name === '500' ? 500 : 404, {});
    });
    await callTool(gateway, 'get_project', { project_id: 'p' }, { headers });
    expect(upstream.seen).toHaveLength(1);
  });

  test('the second try’s answer is the answer', async () => {
    let tries = 0;
    const { gateway } = await start((res, seen) =>
      ++tries === 1 ? answerJson(res, 503, {}) : answerSample(res, seen),
    );
    expect((await callTool(gateway, 'get_project', { project_id: 'p' }, { headers })).isError).toBe(false);
    expect(tries).toBe(2);
  });

  test('a struggling service is spared: many failing reads are not all tried three times', async () => {
    const { gateway, upstream } = await start((res) => answerJson(res, 503, {}));
    for (let call = 0; call < 40; call++) await callTool(gateway, 'get_project', { project_id: 'p' }, { headers });
    // Ten saved retries and a fifth of one for each call.
    expect(upstream.seen.length).toBeGreaterThan(40);
    expect(upstream.seen.length).toBeLessThanOrEqual(40 + 10 + 8);
  });
});

describe('a caller that leaves', () => {
  test.each(['trpc', 'mcp'])('on %s takes its request to the service along', async (transport) => {
    const { gateway, upstream } = await start(() => {}, 60_000);
    const controller = new AbortController();
    const call =
      transport === 'mcp'
        ? callTool(gateway, 'create_project', { name: 'n' }, { headers, signal: controller.signal })
        : createPosternClient({ url: gateway.url, credential: 'k' }).projects.create.mutate(
            { name: 'n' },
            { signal: controller.signal },
          );
    const settled = call.catch((error: unknown) => error);
    await eventually(() => expect(upstream.seen).toHaveLength(1));
    expect(upstream.abandoned()).toBe(0);
    controller.abort();
    await eventually(() => expect(upstream.abandoned()).toBe(1));
    await settled;
    await eventually(() => expect(gateway.lines.join('')).toContain('"status":"caller_left"'));
  });
});
