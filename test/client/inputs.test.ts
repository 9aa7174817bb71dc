import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPosternClient, nextCursor, type PosternClient } from '../../src/client/index.js';
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

  test('asks a list for the page after a cursor, in whatever direction', async () => {
    await client.projects.list.query({ cursor: 'c', page_size: 10 });
    // As TanStack Query's adapter sends it.
    const [first, next] = [{ direction: 'forward' }, { cursor: 'd', direction: 'forward' }];
    await client.projects.list.query({ page_size: 5, ...first });
    await client.projects.list.query(next);
    expect(upstream.seen.map(({ url }) => queryOf(url))).toEqual([
      { cursor: 'c', page: '1', page_size: '10' },
      { page: '1', page_size: '5' },
      { cursor: 'd', page: '1', page_size: '25' },
    ]);
  });
});

test('each list has a cursor, and no field of its own named direction', () => {
  const lists = everyProcedure.filter(([, { input }]) => 'page' in input.shape);
  expect(lists.length).toBeGreaterThan(15);
  for (const [path, { input }] of lists) {
    expect([path, 'cursor' in input.shape, 'direction' in input.shape]).toEqual([path, true, false]);
  }
});

test('after a page comes its next cursor, after the last one none', () => {
  expect(nextCursor({ next_cursor: 'c' })).toBe('c');
  expect(nextCursor({ next_cursor: null })).toBeUndefined();
});
