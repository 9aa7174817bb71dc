import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPosternClient, isPosternError, nextCursor, type PosternClient } from '../../src/client/index.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { everyProcedure, type FakeUpstream, startUpstream } from '../support/upstream.js';

let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ serviceUrl: upstream.url });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => upstream.seen.splice(0));

const queryOf = (url = '') => Object.fromEntries(new URL(url, 'http://service').searchParams);

describe.each([true, false])('an input (streaming: %j)', (streaming) => {
  let client: PosternClient;
  beforeAll(() => {
    client = createPosternClient({ url: gateway.url, credential: 'k', streaming });
  });

  test('takes a Date where the answers give one, or a text', async () => {
    const since = new Date('2026-03-04T05:06:07.890Z');
    await client.organisation.getAuditLog.query({ since });
    await client.organisation.getAuditLog.query({ since: '2026-03-04' });
    expect(upstream.seen.map(({ url }) => queryOf(url)['since'])).toEqual([
      ...['2026-03-04T05:06:07.890Z', '2026-03-04T00:00:00.000Z'],
    ]);
  });

  test('takes a Date in a mutation, also deep in a document', async () => {
    const at = new Date('2026-03-04T05:06:07.000Z');
    const id = { project_id: 'p', verdict_id: 'v' };
    await client.reachability.overrideVerdict.mutate({ ...id, verdict: 'Exploitable', reason: 'seen', expires_at: at });
    await client.reachability.overrideVerdict.mutate({ ...id, verdict: 'Exploitable', reason: 'x', expires_at: null });
    expect(upstream.seen.map(({ body }) => JSON.parse(body).expires_at)).toEqual([at.toISOString(), null]);
    await client.sast.uploadReport.mutate({ project_id: 'p', source_repo: 'r', report: { deep: [{ at }] } });
    expect(JSON.parse(upstream.seen[2]?.body ?? '')).toEqual({ deep: [{ at: at.toISOString() }] });
  });

  test('with a Date that is none is not sent: as null it would be no filter at all', async () => {
    const invalid = client.organisation.getAuditLog.query({ since: new Date(Number.NaN) });
    await expect(invalid).rejects.toThrow('since is an invalid Date');
    expect(upstream.seen).toEqual([]);
  });

  test('asks a list for a page by cursor, in whatever direction', async () => {
    await client.projects.list.query({ cursor: 3, page_size: 10 });
    await client.projects.list.query({ cursor: null });
    await client.projects.list.query({ cursor: 2, page: 7 });
    // As TanStack Query's adapter sends it.
    const input = { cursor: 4, direction: 'forward' };
    await client.projects.list.query(input);
    const first = { direction: 'forward' };
    await client.projects.list.query({ page_size: 5, ...first });
    expect(upstream.seen.map(({ url }) => [queryOf(url)['page'], queryOf(url)['page_size']])).toEqual([
      ...[
        ['3', '10'],
        ['1', '25'],
        ['2', '25'],
        ['4', '25'],
        ['1', '5'],
      ],
    ]);
    for (const { url } of upstream.seen) expect(Object.keys(queryOf(url)).sort()).toEqual(['page', 'page_size']);
  });

  test('with a cursor that is no page is refused', async () => {
    for (const cursor of [0, 1.5]) {
      const error = await client.projects.list.query({ cursor }).catch((thrown: unknown) => thrown);
      expect(isPosternError(error) && error.data.fields[0]?.field).toBe('page');
    }
  });
});

test('no list has a field of its own named cursor or direction', () => {
  const lists = everyProcedure.filter(([, { input }]) => 'page' in input.shape);
  expect(lists.length).toBeGreaterThan(15);
  for (const [path, { input }] of lists) {
    expect([path, 'cursor' in input.shape, 'direction' in input.shape]).toEqual([path, false, false]);
  }
});

test.each([
  [{ page: 1, page_size: 25, has_more: true }, 2],
  [{ page: 4, page_size: 25, has_more: false }, undefined],
  [{ page: 99, page_size: 100, has_more: true }, 100],
  [{ page: 100, page_size: 100, has_more: true }, undefined],
])('after %j comes page %j', (page, next) => {
  expect(nextCursor(page)).toBe(next);
});
