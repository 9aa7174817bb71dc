import { expect, test } from 'vitest';
import type { FeedRow } from '../../../src/service/coverage/feed-coverage.js';
import { intelligenceAge } from '../../../src/service/feeds/staleness.js';

const now = new Date('2025-08-20T12:00:00Z');

const feed = (name: string, published: string | null, fields: Partial<FeedRow> = {}): FeedRow => ({
  name,
  version: null,
  publishedAt: published === null ? null : new Date(published),
  loadedAt: now,
  records: 1,
  contentHash: '00',
  validator: null,
  covers: [],
  named: [],
  unread: 0,
  ...fields,
});

const fresh = [
  feed('osv:npm', '2025-08-19T08:00:00Z'),
  feed('epss', '2025-08-15'),
  feed('kev', '2025-08-14T17:00:00Z'),
];

test('is the age of the newest advisory, the scores and the catalogue', () => {
  expect(intelligenceAge([...fresh, feed('osv:Go', '2025-01-01T00:00:00Z')], now)).toEqual({
    advisories: new Date('2025-08-19T08:00:00Z'),
    epss: '2025-08-15',
    kev: '2025-08-14',
    stale: false,
  });
});

test('nothing loaded is stale', () => {
  expect(intelligenceAge([], now)).toEqual({ advisories: null, epss: null, kev: null, stale: true });
});

test.each(['osv:npm', 'epss', 'kev'])('stale without %s, or when it is older than 7 days', (name) => {
  const others = fresh.filter((each) => each.name !== name);
  expect(intelligenceAge(others, now).stale).toBe(true);
  expect(intelligenceAge([...others, feed(name, '2025-08-13T11:59:59Z')], now).stale).toBe(true);
  expect(intelligenceAge([...others, feed(name, '2025-08-13T12:00:01Z')], now).stale).toBe(false);
});

test('a feed that its origin confirmed is fresh, however old its content', () => {
  const others = fresh.filter(({ name }) => name !== 'kev');
  const confirmed = (loadedAt: string) => feed('kev', '2025-08-01', { validator: '"a"', loadedAt: new Date(loadedAt) });
  expect(intelligenceAge([...others, confirmed('2025-08-19T00:00:00Z')], now)).toMatchObject({
    kev: '2025-08-01',
    stale: false,
  });
  expect(intelligenceAge([...others, confirmed('2025-08-10T00:00:00Z')], now).stale).toBe(true);
});

test('a feed that was never loaded to its end does not count', () => {
  const others = fresh.filter(({ name }) => name !== 'epss');
  expect(intelligenceAge([...others, feed('epss', null, { contentHash: null })], now)).toMatchObject({
    epss: null,
    stale: true,
  });
});
