import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  createPosternClient,
  type ErrorCode,
  isPosternError,
  type PosternClient,
  type RouterInputs,
  type RouterOutputs,
} from '../../src/client/index.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../support/upstream.js';

let upstream: FakeUpstream;
let gateway: StartedGateway;
let client: PosternClient;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ serviceUrl: `${upstream.url}/` });
  client = createPosternClient({ url: `${gateway.url}/`, credential: async () => 'k' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

describe('a typed client', () => {
  test('infers inputs and outputs, and gets dates', async () => {
    const page = await client.alerts.list.query({ project_id: 'p', tier: 'RED' });
    expectTypeOf(page).not.toBeAny();
    expectTypeOf<RouterOutputs['alerts']['list']['items'][number]['first_seen_at']>().toEqualTypeOf<Date>();
    expectTypeOf<RouterOutputs['alerts']['list']['items'][number]['resolved_at']>().toEqualTypeOf<Date | null>();
    expectTypeOf<RouterOutputs['alerts']['list']['items'][number]['tier']>().toEqualTypeOf<
      'RED' | 'YELLOW' | 'GREEN'
    >();
    expectTypeOf<RouterInputs['projects']['get']>().toEqualTypeOf<{ project_id: string }>();
    expectTypeOf<RouterInputs['organisation']['getAuditLog']>()
      .extract<object>()
      .toHaveProperty('since')
      .toEqualTypeOf<string | Date | undefined>();
    expectTypeOf<RouterInputs['alerts']['list']>()
      .extract<object>()
      .toHaveProperty('cursor')
      .toEqualTypeOf<string | undefined>();
    expectTypeOf<RouterInputs['projects']['get']>().not.toHaveProperty('cursor');
    expectTypeOf<keyof RouterOutputs['techStack']>().toEqualTypeOf<
      'list' | 'getDependencies' | 'add' | 'update' | 'remove' | 'sync' | 'uploadSbom' | 'listReportedVulnerabilities'
    >();
    expect(page.items[0]?.first_seen_at).toEqual(new Date('2026-03-04T05:06:07Z'));
  });

  test('an input whose every field may be left out may be left out', async () => {
    expect((await client.projects.list.query()).items).toHaveLength(1);
    expect((await client.session.get.query()).caller.kind).toBe('member');
  });

  test('refuses what the definitions do not have', () => {
    // @ts-expect-error no such procedure
    void client.alerts.drop;
    // @ts-expect-error a query has no mutate
    void client.alerts.list.mutate;
    // @ts-expect-error a mutation has no query
    void client.projects.create.query;
    // @ts-expect-error the project is needed
    void (() => client.intelligence.getPackageHealth.query());
    // @ts-expect-error no such tier
    void (() => client.alerts.list.query({ project_id: 'p', tier: 'BLUE' }));
    // @ts-expect-error a name is no timestamp
    void (() => client.projects.create.mutate({ name: new Date() }));
    // @ts-expect-error a misspelt field
    void (() => client.projects.get.query({ projectId: 'p' }));
    // @ts-expect-error one thing has no pages
    void (() => client.projects.get.query({ project_id: 'p', cursor: 2 }));
  });

  test('sends many calls in requests of at most ten', async () => {
    const before = gateway.lines.length;
    const urls: string[] = [];
    const counting = createPosternClient({
      url: gateway.url,
      credential: 'k',
      fetch: (input, init) => {
        urls.push(String(input));
        return fetch(input, init);
      },
    });
    const answers = await Promise.all(Array.from({ length: 25 }, () => counting.organisation.get.query()));
    expect(answers).toHaveLength(25);
    expect(urls.map((url) => new URL(url).pathname.split(',').length)).toEqual([10, 10, 5]);
    expect(gateway.lines.length - before).toBe(25);
  });
});

describe('isPosternError', () => {
  test('says what went wrong, by type', async () => {
    const error: unknown = await createPosternClient({ url: gateway.url })
      .organisation.get.query()
      .catch((thrown: unknown) => thrown);
    if (!isPosternError(error)) throw new Error('an error of the gateway was expected');
    expectTypeOf(error.data.failure).toEqualTypeOf<ErrorCode>();
    expectTypeOf(error.data.requestId).toEqualTypeOf<string | null>();
    expect([error.message, error.data.failure, error.data.code, error.data.httpStatus]).toEqual([
      'authentication failed',
      'unauthenticated',
      'UNAUTHORIZED',
      401,
    ]);
  });

  test('is false of anything else', async () => {
    const offline = createPosternClient({
      url: gateway.url,
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    const error = await offline.organisation.get.query().catch((thrown: unknown) => thrown);
    expect([error, new Error('x'), { data: { failure: 'timeout' } }, null, 'text'].filter(isPosternError)).toEqual([]);
  });
});

test('the client’s bundle holds no server code', async () => {
  const bundle = await rolldown({
    input: 'src/client/index.ts',
    platform: 'neutral',
    external: /^(?!\.|\/)/,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect([...output[0].imports].sort()).toEqual(['@trpc/client', '@trpc/server/observable', 'superjson']);
  expect(output[0].code.length).toBeLessThan(12_000);
});
