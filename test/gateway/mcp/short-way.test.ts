import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyProcedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { isRecord } from '../../../src/shared/json/is-record.js';
import { eventually } from '../../support/eventually.js';
import { gate } from '../../support/posture-service.js';
import { sampleInputOf, sampleOf } from '../../support/sample.js';
import { type Answer, answerJson, answerSample } from '../../support/upstream.js';
import { type BothWays, post, type Sent, startBothWays } from './both-ways.js';
import { both, credential, envelope, eras, legacy, modern } from './requests.js';

const project = sampleOf(procedures.projects.get.output);

/** Names of projects, as a service's JSON has them, that are hard to repeat byte by byte. */
const hostile: Readonly<Record<string, string>> = {
  quotes: String.raw`"\" \\ \/ \b \f \n \r \t"`,
  separators: '"a\u2028b\u2029c\u0085d"',
  'lone-surrogate': String.raw`"a\ud800b\udc00"`,
  astral: '"😀 \u{10ffff}"',
  hidden: '"a\u200bb<!-- c -->d\u202ee\u0000"'.replace('\u0000', String.raw`\u0000`),
  event: String.raw`"a\n\nevent: message\ndata: {}\n\n"`,
};

const answer: Answer = async (res, seen) => {
  const id = /projects\/([\w-]+)/.exec(seen.url)?.[1] ?? '';
  const name = hostile[id];
  const status = Number(/^status-(\d+)$/.exec(id)?.[1]);
  if (name !== undefined && isRecord(project)) {
    const body = JSON.stringify({ ...project, name: 'NAME' }).replace('"NAME"', name);
    return void res.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }
  if (id === 'wrong-shape') return answerJson(res, 200, { id: 7 });
  if (id === 'no-json') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>SECRET');
  if (status > 0) return answerJson(res, status, { reason: 'project_gone' }, { 'retry-after': '7' });
  answerSample(res, seen);
};

let ways: BothWays;
beforeAll(async () => {
  ways = await startBothWays(answer);
});
afterAll(() => ways.close());

type Way = 'short' | 'SDK';

/** Three times: from the second on, the service's body is known. */
async function expectSame(sent: Sent, way: Way): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const { withShortWay, sdkAlone, wasShort } = await ways.compare(sent);
    expect(withShortWay).toEqual(sdkAlone);
    expect(withShortWay.messages).toHaveLength(1);
    expect(wasShort ? 'short' : 'SDK').toBe(way);
  }
}

const getProject = (project_id = 'p') => ({ name: 'get_project', arguments: { project_id } });

const tools = Object.values(procedures).flatMap((group) =>
  Object.values<AnyProcedure>(group).filter((procedure) => procedure.tool !== undefined),
);

describe.each(Object.entries(eras))('in a request of %s', (_era, build) => {
  test.each(tools.map(({ tool, input }) => [tool, input] as const))('%s is answered alike', async (name, input) => {
    const { headers, body } = build('tools/call', { name, arguments: sampleInputOf(input) });
    await expectSame({ headers: { ...headers, 'x-mcp-toolsets': 'all' }, body }, 'short');
  });

  test.each(['all', 'readonly', 'triage,webhooks', ' Alerts ,, alerts', ''])(
    'the tools of %j are listed alike, and others cannot be called alike',
    async (toolsets) => {
      const list = build('tools/list');
      await expectSame({ ...list, headers: { ...list.headers, 'x-mcp-toolsets': toolsets } }, 'short');
      const { headers, body } = build('tools/call', { name: 'delete_webhook', arguments: {} });
      const isHeld = toolsets === '' || toolsets === 'all' || toolsets.includes('webhooks');
      await expectSame({ headers: { ...headers, 'x-mcp-toolsets': toolsets }, body }, isHeld ? 'short' : 'SDK');
    },
  );

  test('a toolset that does not exist is refused alike', async () => {
    const { headers, body } = build('tools/list');
    const { withShortWay, sdkAlone } = await ways.compare({ headers: { ...headers, 'x-mcp-toolsets': 'x' }, body });
    expect(withShortWay).toEqual(sdkAlone);
    expect(withShortWay.status).toBe(400);
  });

  test.each(Object.keys(hostile))('a text with %s is answered alike', async (id) => {
    await expectSame(build('tools/call', getProject(id)), 'short');
  });

  test.each([400, 401, 403, 404, 409, 429, 500, 503])('a service that answers %s fails alike', async (status) => {
    await expectSame(build('tools/call', getProject(`status-${status}`)), 'short');
  });

  test.each(['wrong-shape', 'no-json'])('a service with %s fails alike', async (id) => {
    await expectSame(build('tools/call', getProject(id)), 'short');
  });

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['empty', {}],
    ['unknown', { project_id: 'p', more: 1 }],
    ['of the wrong type', { project_id: ['p'] }],
    ['a key of every object', JSON.parse('{"project_id":"p","__proto__":{"a":1},"constructor":1}')],
    ['hostile', { project_id: '../../<b>\u202e\ud800"\\' }],
  ])('arguments that are %s are refused alike', async (_title, input) => {
    await expectSame(build('tools/call', { name: 'get_project', arguments: input }), 'short');
  });

  test.each([null, [], 'x', 1])('arguments that are %j go through the SDK', async (input) => {
    await expectSame(build('tools/call', { name: 'get_project', arguments: input }), 'SDK');
  });

  test.each(['a', '', '"\u2028\ud800</script>', 0, -1, 1e15, -0, Number.MAX_SAFE_INTEGER])(
    'an id of %j comes back alike',
    async (id) => {
      await expectSame(build('tools/list', {}, id), 'short');
      await expectSame(build('tools/call', getProject(), id), 'short');
    },
  );

  test.each([null, 1.5, 1e300, true, [1], { a: 1 }])('an id of %j goes through the SDK', async (id) => {
    await expectSame(build('tools/list', {}, id), 'SDK');
    await expectSame(build('tools/call', getProject(), id), 'SDK');
  });

  test('tools are listed alike, and a cursor goes to the SDK', async () => {
    await expectSame(build('tools/list'), 'short');
    await expectSame(build('tools/list', { cursor: 'x' }), 'SDK');
    await expectSame(build('tools/list', { cursor: 1 }), 'SDK');
  });

  test.each([{ progressToken: 'p' }, { progressToken: 3 }, { 'com.example/x': { a: [1] } }, {}])(
    'with %j in its _meta is answered alike',
    async (_meta) => {
      await expectSame(build('tools/call', { ...getProject(), _meta }), 'short');
      await expectSame(build('tools/list', { _meta }), 'short');
    },
  );

  test.each([
    { progressToken: 1.5 },
    { progressToken: {} },
    { 'io.modelcontextprotocol/related-task': { taskId: 't' } },
    { 'io.modelcontextprotocol/related-task': 1 },
    { 'io.modelcontextprotocol/logLevel': 'info' },
    { 'io.modelcontextprotocol/logLevel': 'x' },
    { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' },
    { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
    { 'io.modelcontextprotocol/clientCapabilities': null },
    { 'io.modelcontextprotocol/clientInfo': {} },
  ])('with %j in its _meta goes through the SDK', async (_meta) => {
    await expectSame(build('tools/call', { ...getProject(), _meta }), 'SDK');
    await expectSame(build('tools/list', { _meta }), 'SDK');
  });

  test('a trace reaches the service alike, from the header or from _meta', async () => {
    const [traceparent, other] = ['1', '2'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
    const sent = build('tools/call', { ...getProject(), _meta: { traceparent, tracestate: 'a=b' } });
    await expectSame(sent, 'short');
    const { withShortWay } = await ways.compare({ ...sent, headers: { ...sent.headers, traceparent: other } });
    expect(withShortWay.asked[0]?.headers).toMatchObject({ traceparent, tracestate: 'a=b' });
    const inHeader = build('tools/call', { ...getProject(), _meta: { traceparent: 'x' } });
    await expectSame({ ...inHeader, headers: { ...inHeader.headers, traceparent: other } }, 'short');
  });

  test.each<[string, Sent['headers']]>([
    ['no credential', { authorization: undefined }],
    ['a credential that is none', { authorization: 'Basic x' }],
    ['a key in the other header', { authorization: undefined, 'x-service-key': 'k' }],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['types in another order', { accept: 'text/event-stream,application/json' }],
    ['more types', { accept: 'text/html, application/json, text/event-stream, */*' }],
  ])('with %s is answered alike', async (_title, headers) => {
    const sent = build('tools/call', getProject());
    await expectSame({ ...sent, headers: { ...sent.headers, ...headers } }, 'short');
  });

  test.each<[string, Sent['headers']]>([
    ['no Accept', { accept: undefined }],
    ['JSON alone accepted', { accept: 'application/json' }],
    ['streams alone accepted', { accept: 'text/event-stream' }],
    ['anything accepted', { accept: '*/*' }],
    ['a preference', { accept: 'application/json;q=0, text/event-stream' }],
    ['a session', { 'mcp-session-id': 's' }],
    ['no version', { 'mcp-protocol-version': undefined }],
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }],
    ['a later version', { 'mcp-protocol-version': '2027-01-01' }],
    ['another type', { 'content-type': 'text/plain' }],
    ['a type with parameters', { 'content-type': 'application/json; x=y' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['the wrong method', { 'mcp-method': 'tools/list' }],
    ['no method', { 'mcp-method': undefined }],
    ['the wrong name', { 'mcp-name': 'list_projects' }],
    ['a name in Base64', { 'mcp-name': `=?base64?${btoa('get_project')}?=` }],
    ['no name', { 'mcp-name': undefined }],
  ])('with %s is answered or refused alike', async (_title, headers) => {
    const sent = build('tools/call', getProject());
    const { withShortWay, sdkAlone } = await ways.compare({ ...sent, headers: { ...sent.headers, ...headers } });
    expect(withShortWay).toEqual(sdkAlone);
  });

  test('an unknown tool is a protocol error of the SDK', async () => {
    await expectSame(build('tools/call', { name: 'drop_tables', arguments: {} }), 'SDK');
    await expectSame(build('tools/call', { name: 'constructor' }), 'SDK');
    await expectSame(build('tools/call', {}), 'SDK');
  });

  test.each(['initialize', 'ping', 'server/discover', 'tools/other', 'resources/list', 'notifications/initialized'])(
    '%s goes through the SDK',
    async (method) => expectSame(build(method, {}), 'SDK'),
  );

  test('members that the protocol does not have, or has for another purpose, go through the SDK', async () => {
    const { headers, body } = build('tools/call', getProject());
    await expectSame({ headers, body: { ...body, more: 1 } }, 'SDK');
    await expectSame({ headers, body: { ...body, jsonrpc: '1.0' } }, 'SDK');
    await expectSame({ headers, body: { ...body, id: undefined } }, 'SDK');
    for (const more of [{ task: { ttl: 1 } }, { inputResponses: {} }, { requestState: 's' }, { more: 1 }])
      await expectSame({ headers, body: { ...body, params: { ...body.params, ...more } } }, 'SDK');
    for (const params of [null, [], 'x']) await expectSame({ headers, body: { ...body, params } }, 'SDK');
  });

  test('a compressed body is answered alike, and what is none is refused alike', async () => {
    const { headers, body } = build('tools/call', getProject());
    const gzip = { ...headers, 'content-encoding': 'gzip' };
    await expectSame({ headers: gzip, body: gzipSync(JSON.stringify(body)) }, 'short');
    await expectSame({ headers: gzip, body }, 'SDK');
    await expectSame({ headers: { ...headers, 'content-encoding': 'x' }, body }, 'SDK');
  });

  test('a body in blanks or with a mark of its byte order is answered alike', async () => {
    const { headers, body } = build('tools/call', getProject());
    await expectSame({ headers, body: ` \r\n\t${JSON.stringify(body)}\n ` }, 'short');
    await expectSame({ headers, body: `\ufeff${JSON.stringify(body)}` }, 'short');
    await expectSame({ headers, body: Buffer.from(JSON.stringify(body).replace('"p"', '"\xff"'), 'latin1') }, 'short');
  });

  test.each(['', ' ', '{', '{"a":1}}', 'null', '1', '"x"', '[]', '{}', '[1', `"${'x'.repeat(256 * 1024)}"`])(
    'a body of %.20j is refused alike',
    async (body) => expectSame({ headers: build('tools/list').headers, body }, 'SDK'),
  );

  test('a body may have 256 kB', async () => {
    const { headers, body } = build('tools/list');
    const padded = (bytes: number) => JSON.stringify(body).padEnd(bytes);
    await expectSame({ headers, body: padded(256 * 1024) }, 'short');
    await expectSame({ headers, body: padded(256 * 1024 + 1) }, 'SDK');
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    await expectSame({ headers: chunked, body: padded(256 * 1024) }, 'short');
    await expectSame({ headers: chunked, body: padded(256 * 1024 + 1) }, 'SDK');
  });

  test('a body that nests too deeply is refused alike', async () => {
    const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    await expectSame(build('tools/call', { name: 'get_project', arguments: deep(60) }), 'short');
    await expectSame(build('tools/call', { name: 'get_project', arguments: deep(70) }), 'SDK');
  });

  test('a batch goes through the SDK', async () => {
    const { headers, body } = build('tools/call', getProject());
    const { withShortWay, sdkAlone, wasShort } = await ways.compare({ headers, body: [body, { ...body, id: 2 }] });
    expect([withShortWay.messages.toSorted(), wasShort]).toEqual([sdkAlone.messages.toSorted(), false]);
  });
});

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', undefined])(
  'the version %s takes the short way',
  async (version) => {
    await expectSame(legacy('tools/call', getProject(), 1, version), 'short');
    await expectSame(legacy('tools/list', undefined, 1, version), 'short');
  },
);

test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('the method %s goes through the SDK', async (method) => {
  await expectSame({ ...legacy('tools/list'), method }, 'SDK');
});

test('a claim of 2026-07-28 without its headers goes through the SDK, and those of a 2025 revision do not matter', async () => {
  const { headers, body } = modern('tools/call', getProject());
  await expectSame({ headers: { accept: both, ...credential }, body }, 'SDK');
  await expectSame({ ...legacy('tools/call', { ...getProject(), _meta: envelope }) }, 'SDK');
  await expectSame({ headers, body: legacy('tools/call', getProject()).body }, 'SDK');
  const sent = legacy('tools/call', getProject());
  await expectSame({ ...sent, headers: { ...sent.headers, 'mcp-method': 'x', 'mcp-name': 'y' } }, 'short');
});

test('capabilities that a client of 2026-07-28 may declare take the short way', async () => {
  for (const capabilities of [
    { roots: { listChanged: true }, sampling: { tools: {} }, elicitation: {} },
    { elicitation: { form: { applyDefaults: true }, url: {} }, experimental: { x: { a: [1] } } },
    { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } }, more: 1 },
  ]) {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    await expectSame(modern('tools/list', { _meta }), 'short');
  }
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { roots: 1 } };
  await expectSame(modern('tools/list', { _meta }), 'SDK');
});

test('an answer of the short way is JSON with its length, and nobody caches it', async () => {
  const { headers, text } = await post(ways.gateways[0], legacy('tools/call', getProject()));
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ratelimit: expect.stringMatching(/^"credential";r=\d+;t=\d+$/),
  });
});

describe('a call that does not end', () => {
  test('is ended by the deadline alike', async () => {
    const slow = await startBothWays(() => {}, 200);
    for (const build of Object.values(eras)) {
      const { withShortWay, sdkAlone, wasShort } = await slow.compare(build('tools/call', getProject()));
      expect(withShortWay).toEqual(sdkAlone);
      expect(withShortWay.messages.join()).toContain('did not answer within 0.2 s');
      expect(wasShort).toBe(true);
    }
    await slow.close();
  });

  test.each(Object.entries(eras))('takes its request along when the client of %s leaves', async (_era, build) => {
    const slow = await startBothWays(() => {});
    const { headers, body } = build('tools/call', getProject());
    const controller = new AbortController();
    const call = fetch(`${slow.gateways[0].url}/mcp`, {
      method: 'POST',
      headers: { ...JSON.parse(JSON.stringify(headers)), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    await eventually(() => expect(slow.upstream.seen).toHaveLength(1));
    controller.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(slow.upstream.abandoned()).toBe(1));
    await eventually(() => expect(slow.gateways[0].lines.join()).toContain('caller_left'));
    await slow.close();
  });

  test('is ended when the gateway closes, alike for 2026-07-28, and later ones are refused alike', async () => {
    const { opened, open } = gate();
    const slow = await startBothWays(async (res, seen) => {
      await opened;
      answerSample(res, seen);
    });
    const call = modern('tools/call', getProject());
    const calls = slow.gateways.map((gateway) => post(gateway, call));
    await eventually(() => expect(slow.upstream.seen).toHaveLength(2));
    for (const { stop } of slow.gateways) await stop();
    const ended = await Promise.all(calls);
    expect(ended.map(({ status, text }) => [status, text])).toEqual([
      [499, ''],
      [499, ''],
    ]);
    open();
    for (const build of Object.values(eras)) {
      const [one, other] = await Promise.all(slow.gateways.map((gateway) => post(gateway, build('tools/list'))));
      expect([one?.status, one?.text]).toEqual([500, other?.text]);
    }
    await slow.close();
  });
});

test('an answer closes its connection while the gateway drains', async () => {
  const draining = await startBothWays(answerSample);
  for (const gateway of draining.gateways) gateway.drain();
  const { headers } = await post(draining.gateways[0], legacy('tools/list'));
  expect(headers.connection).toBe('close');
  await draining.close();
});
