import { createTRPCClient, getUntypedClient, httpBatchLink, httpBatchStreamLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppRouter, createPosternClient } from '../../../src/client/index.js';
import { procedures } from '../../../src/procedures/index.js';
import { eventually } from '../../support/eventually.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { sampleInputOf, sampleOf } from '../../support/sample.js';
import { answerJson, answerSample, everyCall, type FakeUpstream, startUpstream } from '../../support/upstream.js';

// Plain queries are answered without tRPC's own way through web streams. A header that asks for what is the default keeps a
// request on that way, so that both can be compared.

let upstream: FakeUpstream;
let gateway: StartedGateway;

beforeAll(async () => {
  upstream = await startUpstream((res, seen) => {
    const project = /^\/api\/projects\/([a-z]+)\//.exec(seen.url)?.[1];
    if (project === 'missing') return answerJson(res, 404, { code: 'not_found', resource: 'project' });
    if (project === 'limited') return answerJson(res, 429, {}, { 'retry-after': '7' });
    if (project === 'busy') return answerJson(res, 503, {}, { 'retry-after': '3' });
    if (project === 'slow') return;
    if (project === 'odd') return answerJson(res, 200, { items: [{ id: 7 }] });
    if (seen.url.startsWith('/api/org/audit-log')) return answerJson(res, 200, auditLog(seen.url.includes('page=2')));
    return answerSample(res, seen);
  });
  gateway = await startGateway({ serviceUrl: upstream.url });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** With values that superjson has notes for, or a key that it refuses. */
function auditLog(hostile: boolean): unknown {
  const page = Object(sampleOf(procedures.organisation.getAuditLog.output));
  const [item] = page.items;
  const before = JSON.parse('{"zero":-0,"a.b":{"large":1e999}}');
  return { ...page, items: [{ ...item, before, after: hostile ? { constructor: 1 } : null }] };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const credential = { authorization: `Bearer postern_live_${'0'.repeat(64)}` };

async function ask(path: string, { headers = credential, ...sent }: Sent = {}) {
  const response = await fetch(`${gateway.url}/trpc/${path}`, {
    ...sent,
    headers: { 'x-request-id': 'same', ...headers },
  });
  const {
    date: _,
    'content-length': length,
    'transfer-encoding': _chunked,
    ...fields
  } = Object.fromEntries(response.headers);
  const rateLimit = fields['ratelimit']?.replaceAll(/\d+/g, 'n');
  return {
    /** tRPC streams its answers, so they have no length. */
    isShort: length !== undefined,
    answer: { status: response.status, fields: { ...fields, ratelimit: rateLimit }, body: await response.text() },
  };
}

const inputOf = (input: unknown) => encodeURIComponent(JSON.stringify(input));
const single = (path: string, input: unknown) => `${path}?input=${inputOf({ json: input })}`;
const batch = (...calls: readonly (readonly [path: string, input?: unknown])[]) => {
  const inputs = calls.flatMap(([, input], at) => (input === undefined ? [] : [[at, { json: input }]]));
  return `${calls.map(([path]) => path).join()}?batch=1&input=${inputOf(Object.fromEntries(inputs))}`;
};
const alertsOf = (project_id: string) => ['alerts.list', { project_id }] as const;

const queries = everyCall.filter(([, { access }]) => access === 'read');

const plain: [kind: string, path: string, sent?: Sent][] = [
  ...queries.map(([path, { input }]): [string, string] => [path, single(path, sampleInputOf(input))]),
  ['no input', 'organisation.get'],
  ['an empty input', 'organisation.get?input='],
  [
    'a date as superjson has it',
    `posture.getFindingsDiff?input=${inputOf({ json: { since: null }, meta: { values: { since: ['undefined'] }, v: 1 } })}`,
  ],
  ['a batch of one', batch(['organisation.get'])],
  ['a batch of ten', batch(...Array.from({ length: 10 }, () => alertsOf('prj')))],
  ['a batch without inputs', 'organisation.get,projects.list?batch=1'],
  [
    'a batch that has inputs to spare',
    `organisation.get?batch=1&input=${inputOf({ 0: { json: {} }, 3: { json: {} } })}`,
  ],
  ['a batch of good and bad calls', batch(alertsOf('prj'), alertsOf('missing'), ['organisation.get'], alertsOf('odd'))],
  ['a batch of bad calls with one status', batch(alertsOf('missing'), alertsOf('missing'))],
  ['a batch with times to wait', batch(alertsOf('limited'), alertsOf('busy'))],
  ['what does not exist', single(...alertsOf('missing'))],
  ['too many requests', single(...alertsOf('limited'))],
  ['an answer of the wrong shape', single(...alertsOf('odd'))],
  ['a field too many', single('alerts.list', { project_id: 'prj', colour: 'red' })],
  ['an input that is no object', single('alerts.list', 'prj')],
  ['a key that changes a prototype', `organisation.get?input=${encodeURIComponent('{"json":{"__proto__":{"a":1}}}')}`],
  ['no credential', 'organisation.get', { headers: {} }],
  ['no credential in a batch', batch(['organisation.get'], ['projects.list']), { headers: {} }],
  ['values of free form', single('organisation.getAuditLog', {})],
  ['a key that superjson refuses', single('organisation.getAuditLog', { page: 2 })],
  ['a key that superjson refuses, in a batch', batch(['organisation.get'], ['organisation.getAuditLog', { page: 2 }])],
  ['a content type', 'organisation.get', { headers: { ...credential, 'content-type': 'application/json' } }],
];

describe('both ways give the same status, fields and bytes', () => {
  test.each(plain)('%s', async (_kind, path, { headers = credential } = {}) => {
    const short = await ask(path, { headers });
    const long = await ask(path, { headers: { ...headers, 'trpc-accept': 'application/json' } });
    expect(short.answer).toEqual(long.answer);
    expect([short.isShort, long.isShort]).toEqual([true, false]);
  });
});

test("the client's requests are answered the short way, one by one and in batches", async () => {
  const lengths: (string | null)[] = [];
  const client = createPosternClient({
    ...{ url: gateway.url, credential: `postern_live_${'0'.repeat(64)}`, streaming: false },
    fetch: async (...request) => {
      const response = await fetch(...request);
      lengths.push(response.headers.get('content-length'));
      return response;
    },
  });
  const [alerts] = await Promise.all([client.alerts.list.query({ project_id: 'prj' }), client.projects.list.query()]);
  expect(alerts.items[0]?.first_seen_at).toEqual(new Date('2026-03-04T05:06:07.000Z'));
  expect((await client.organisation.get.query()).created_at).toBeInstanceOf(Date);
  expect(lengths).toEqual([expect.any(String), expect.any(String)]);
});

type Call = readonly [path: string, input?: unknown];

describe('a client makes the same of answers that come one by one as of a list', () => {
  async function outcomesOf(calls: readonly Call[], streaming: boolean, headers: object) {
    const statuses: number[] = [];
    const client = createTRPCClient<AppRouter>({
      links: [
        (streaming ? httpBatchStreamLink : httpBatchLink)({
          ...{ url: `${gateway.url}/trpc`, transformer: superjson },
          headers: { 'x-request-id': 'same', ...headers },
          fetch: async (url, init) => {
            const response = await fetch(String(url), { ...init, signal: init?.signal ?? null });
            statuses.push(response.status);
            return response;
          },
        }),
      ],
    });
    const asked = calls.map(([path, input]) => getUntypedClient(client).query(path, input));
    const outcomes = (await Promise.allSettled(asked)).map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : [String(outcome.reason), outcome.reason.data],
    );
    return { statuses, outcomes };
  }

  test.each<[kind: string, calls: readonly Call[], headers?: object]>([
    ...queries.map(([path, { input }]): [string, Call[]] => [path, [[path, sampleInputOf(input)]]]),
    ['a batch of ten', Array.from({ length: 10 }, () => alertsOf('prj'))],
    ['no inputs', [['organisation.get'], ['projects.list']]],
    ['good and bad calls', [alertsOf('prj'), alertsOf('missing'), ['organisation.get'], alertsOf('odd')]],
    ['bad calls alone', [alertsOf('limited'), alertsOf('busy')]],
    ['no credential', [['organisation.get'], ['projects.list']], {}],
    ['values of free form', [['organisation.getAuditLog', {}]]],
  ])('%s', async (_kind, calls, headers = credential) => {
    const streamed = await outcomesOf(calls, true, headers);
    expect(streamed.outcomes).toEqual((await outcomesOf(calls, false, headers)).outcomes);
    expect(streamed.statuses).toEqual([200]);
  });
});

test.each([
  ['short', {}],
  ['long, one by one', { 'trpc-accept': 'application/jsonl' }],
  ['long', { 'trpc-accept': 'application/json' }],
])('a caller who leaves ends the requests of the calls, %s way', async (_way, headers) => {
  const abandoned = upstream.abandoned();
  const asked = upstream.seen.length;
  const left = () => gateway.lines.filter((line) => line.includes('"status":"caller_left"')).length;
  const before = left();
  const caller = new AbortController();
  const answer = fetch(`${gateway.url}/trpc/${batch(alertsOf('slow'), alertsOf('slow'))}`, {
    headers: { ...credential, ...headers },
    signal: caller.signal,
  }).then((response) => response.text());
  await eventually(() => expect(upstream.seen.length).toBe(asked + 2));
  caller.abort();
  await expect(answer).rejects.toThrow('abort');
  await eventually(() => expect(left()).toBe(before + 2));
  await eventually(() => expect(upstream.abandoned()).toBe(abandoned + 2));
});

describe('all else is left to tRPC', () => {
  test.each<[kind: string, path: string, status: number, sent?: Sent]>([
    ['a mutation', 'projects.create', 200, { method: 'POST', body: '{"json":{"name":"p"}}' }],
    ['a query by POST', 'organisation.get', 405, { method: 'POST', body: '{}' }],
    ['a mutation by GET', single('projects.create', { name: 'p' }), 405],
    ['an unknown procedure', 'organisation.take', 404],
    ['an unknown one in a batch', batch(['organisation.get'], ['organisation.take']), 207],
    ['a name that every object has', 'constructor', 404],
    ['a batch of eleven', batch(...Array.from({ length: 11 }, () => alertsOf('prj'))), 400],
    ['an input that is no JSON', 'organisation.get?input={', 400],
    ['an input that superjson cannot read', 'organisation.get?input=null', 400],
    ['a batch whose inputs are a list', `organisation.get?batch=1&input=[]`, 400],
    ['another parameter', 'organisation.get?connectionParams=null', 200],
    ['an encoded path', 'organisation%2Eget', 200],
    ['a malformed path', 'organisation%ZZ', 400],
    [
      'a stream that is no batch',
      'organisation.get',
      400,
      { headers: { ...credential, 'trpc-accept': 'application/jsonl' } },
    ],
    [
      'a stream of a batch',
      batch(['organisation.get']),
      200,
      { headers: { ...credential, 'trpc-accept': 'application/jsonl' } },
    ],
    [
      'a stream by Accept',
      batch(['organisation.get']),
      200,
      { headers: { ...credential, accept: 'application/jsonl' } },
    ],
  ])('%s', async (_kind, path, status, { headers = credential, ...sent } = {}) => {
    const { isShort, answer } = await ask(path, {
      ...sent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(isShort).toBe(false);
    expect(answer.status).toBe(status);
  });
});
