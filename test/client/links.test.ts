import { loggerLink, TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPosternClient, isPosternError, type PosternError } from '../../src/client/index.js';
import { eventually } from '../support/eventually.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { gate } from '../support/posture-service.js';
import { type Answer, answerJson, answerSample, type FakeUpstream, startUpstream } from '../support/upstream.js';

let service: FakeUpstream;
let gateway: StartedGateway;
let answer: Answer;

beforeEach(async () => {
  answer = answerSample;
  service = await startUpstream((res, seen, req) => answer(res, seen, req));
  gateway = await startGateway({ serviceUrl: service.url });
});
afterEach(async () => {
  await gateway.close();
  await service.close();
});

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('an error was expected');
    },
    (error: unknown) => error,
  );

describe('a credential', () => {
  test('may be a function that has none; then nothing is sent', async () => {
    let token: string | undefined;
    const client = createPosternClient({ url: gateway.url, credential: () => token });
    const error = await caught(client.organisation.get.query());
    expect(isPosternError(error) && error.data.failure).toBe('unauthenticated');
    token = 'now';
    await client.organisation.get.query();
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer now']);
  });

  test('is the page’s own session where there is none', async () => {
    const client = createPosternClient({
      url: gateway.url,
      credential: undefined,
      headers: { cookie: 'postern_session=t', origin: gateway.url },
    });
    await client.organisation.get.query();
    expect(service.seen[0]?.headers.authorization).toBe('Bearer t');
  });
});

test('headers are sent with each request, from a value or a function, but never in place of the credential', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const headers = { 'x-request-id': 'mine', authorization: 'Bearer other' };
  for (const given of [headers, async () => headers]) {
    await createPosternClient({ url: gateway.url, credential: 'k', headers: given }).organisation.get.query();
  }
  await createPosternClient({ url: gateway.url, credential: 'k', headers: { traceparent } }).organisation.get.query();
  expect(service.seen.map(({ headers: seen }) => [seen['x-request-id'], seen.authorization]).slice(0, 2)).toEqual([
    ...[
      ['mine', 'Bearer k'],
      ['mine', 'Bearer k'],
    ],
  ]);
  expect(service.seen[2]?.headers['traceparent']).toBe(traceparent);
});

test('links of the caller come first', async () => {
  const seen: string[] = [];
  const client = createPosternClient({
    url: gateway.url,
    credential: 'k',
    links: [loggerLink({ logger: ({ path, direction }) => void seen.push(`${direction} ${path}`) })],
  });
  await client.organisation.get.query();
  expect(seen).toEqual(['up organisation.get', 'down organisation.get']);
});

test('without an address the page’s own is asked', async () => {
  const urls: string[] = [];
  for (const url of [undefined, '']) {
    const client = createPosternClient({
      ...{ url, credential: 'k' },
      fetch: (input, init) => {
        urls.push(String(input));
        return fetch(new URL(String(input), gateway.url), init);
      },
    });
    await client.organisation.get.query();
  }
  expect(urls.map((url) => url.split('?')[0])).toEqual(['/trpc/organisation.get', '/trpc/organisation.get']);
});

describe('a batch', () => {
  test('does not wait for its slowest call', async () => {
    const slow = gate();
    answer = async (res, seen) => {
      if (seen.url.startsWith('/api/projects')) await slow.opened;
      answerSample(res, seen);
    };
    const requests: string[] = [];
    const client = createPosternClient({
      ...{ url: gateway.url, credential: 'k' },
      fetch: (input, init) => {
        requests.push(String(input));
        return fetch(input, init);
      },
    });
    let over = false;
    const held = client.projects.list.query().then(() => {
      over = true;
    });
    const fast = await Promise.all([client.organisation.get.query(), client.session.get.query()]);
    expect([fast[0].created_at, over, requests.length]).toEqual([expect.any(Date), false, 1]);
    slow.open();
    await held;
    expect(over).toBe(true);
  });

  test('gives each call its own answer or error, as without streaming', async () => {
    answer = (res, seen) =>
      seen.url.includes('missing') ? answerJson(res, 404, { resource: 'project' }) : answerSample(res, seen);
    const outcomes = await Promise.all(
      [true, false].map((streaming) => {
        const client = createPosternClient({ url: gateway.url, credential: 'k', streaming });
        return Promise.allSettled([
          client.organisation.get.query(),
          client.alerts.list.query({ project_id: 'missing' }),
          client.projects.get.query({ project_id: '..' }),
          client.alerts.list.query({ project_id: 'p' }),
        ]);
      }),
    );
    const plain = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === 'fulfilled'
        ? outcome.value
        : isPosternError(outcome.reason) && { ...outcome.reason.data, requestId: '' };
    const [streamed, whole] = outcomes.map((each) => each.map(plain));
    expect(streamed).toEqual(whole);
    expect(streamed?.[1]).toMatchObject({ failure: 'not_found', path: 'alerts.list', httpStatus: 404 });
  });

  test('goes in several requests where its address would be too long for a proxy', async () => {
    const urls: string[] = [];
    const client = createPosternClient({
      ...{ url: gateway.url, credential: 'k' },
      fetch: (input, init) => {
        urls.push(String(input));
        return fetch(input, init);
      },
    });
    const source_repo = 'r'.repeat(2_000);
    await Promise.all(
      Array.from({ length: 6 }, () => client.sast.listFindings.query({ project_id: 'p', source_repo })),
    );
    expect(urls.length).toBeGreaterThan(1);
    for (const url of urls) expect(url.length).toBeLessThan(8_000);
  });

  test('ends at the service when its callers have left', async () => {
    answer = () => {};
    const client = createPosternClient({ url: gateway.url, credential: 'k' });
    const leaving = new AbortController();
    const asked = [client.projects.list, client.organisation.get].map((call) =>
      caught(call.query(undefined, { signal: leaving.signal })),
    );
    await eventually(() => expect(service.seen).toHaveLength(2));
    leaving.abort();
    await Promise.all(asked);
    await eventually(() => expect(service.abandoned()).toBe(2));
  });
});

describe('a query that is put off', () => {
  /** Answers so often that the call is put off, then a sample. */
  function putOff(times: number, status: number, retryAfter: string | null): void {
    answer = (res, seen) => {
      if (service.seen.length > times) return answerSample(res, seen);
      answerJson(res, status, {}, retryAfter === null ? {} : { 'retry-after': retryAfter });
    };
  }
  const clientOf = (retry?: number) =>
    createPosternClient({ url: gateway.url, credential: 'k', ...(retry !== undefined && { retry }) });

  test('is tried again when it was told to be, twice', async () => {
    // The gateway itself repeats what is put off for a second at most.
    putOff(2, 429, '2');
    expect((await clientOf().organisation.get.query()).created_at).toBeInstanceOf(Date);
    expect(service.seen).toHaveLength(3);
  });

  test.each([
    ['for longer than ten seconds', 429, '11', undefined],
    ['without a time', 429, null, undefined],
    ['where no retries are wanted', 429, '2', 0],
  ] as const)('%s fails at once', async (_when, status, retryAfter, retry) => {
    putOff(1, status, retryAfter);
    const error = await caught(clientOf(retry).organisation.get.query());
    expect(isPosternError(error) && error.data.failure).toBe('rate_limited');
    expect(service.seen).toHaveLength(1);
  });

  test('is given up after so many tries, with the last error', async () => {
    putOff(9, 429, '2');
    const error = await caught(clientOf(1).organisation.get.query());
    expect(isPosternError(error) && error.data.retryAfterSeconds).toBe(2);
    expect(service.seen).toHaveLength(2);
  });

  test('is not tried again once its caller has left', async () => {
    putOff(9, 429, '2');
    const leaving = new AbortController();
    const asked = caught(clientOf().organisation.get.query(undefined, { signal: leaving.signal }));
    await eventually(() => expect(service.seen).toHaveLength(1));
    leaving.abort();
    expect(await asked).toBeInstanceOf(Error);
    expect(service.seen).toHaveLength(1);
  });

  test('is a query: a mutation is never repeated', async () => {
    putOff(1, 429, '2');
    const error = await caught(clientOf().projects.create.mutate({ name: 'x' }));
    expect(isPosternError(error) && error.data.failure).toBe('rate_limited');
    expect(service.seen).toHaveLength(1);
  });
});

describe('onUnauthenticated', () => {
  const told = async (status: number, body: object) => {
    const errors: PosternError[] = [];
    answer = (res) => answerJson(res, status, body);
    const client = createPosternClient({
      ...{ url: gateway.url, credential: 'k', onUnauthenticated: (error: PosternError) => void errors.push(error) },
    });
    await caught(client.organisation.get.query());
    await caught(client.projects.create.mutate({ name: 'x' }));
    return errors.map(({ data }) => data.path);
  };

  test('is told of each call without a session, and of nothing else', async () => {
    expect(await told(401, {})).toEqual(['organisation.get', 'projects.create']);
    expect(await told(403, {})).toEqual([]);
  });

  test('is not told of a call for which an API key does not do', async () => {
    expect(await told(401, { reason: 'needs_member_session' })).toEqual([]);
  });
});

describe('isPosternError', () => {
  test('knows an error of another copy of @trpc/client', async () => {
    const ours = await caught(createPosternClient({ url: gateway.url }).organisation.get.query());
    expect(ours).toBeInstanceOf(TRPCClientError);
    class OtherCopy extends Error {
      override readonly name = 'TRPCClientError';
      readonly data = isPosternError(ours) ? ours.data : null;
    }
    expect(isPosternError(new OtherCopy('x'))).toBe(true);
    class OfAnotherServer extends Error {
      override readonly name = 'TRPCClientError';
      readonly data = { code: 'NOT_FOUND' };
    }
    expect(isPosternError(new OfAnotherServer('x'))).toBe(false);
  });

  test('knows what is refused before it is a call', async () => {
    const cases = [
      { headers: { origin: 'https://evil.example' }, failure: 'forbidden' },
      { headers: { cookie: 'postern_session=t', 'sec-fetch-site': 'cross-site' }, failure: 'forbidden' },
    ];
    for (const { headers, failure } of cases) {
      for (const streaming of [true, false]) {
        const error = await caught(
          createPosternClient({ url: gateway.url, headers, streaming }).organisation.get.query(),
        );
        expect(isPosternError(error) && error.data.failure).toBe(failure);
      }
    }
  });
});
