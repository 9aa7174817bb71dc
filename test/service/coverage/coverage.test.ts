import { describe, expect, test } from 'vitest';
import { type Coverage, maxGapLength, maxGaps } from '../../../src/procedures/coverage.js';
import { toCoverage } from '../../../src/service/coverage/coverage.js';
import { type FeedRow, feedCoverage } from '../../../src/service/coverage/feed-coverage.js';

const now = new Date('2025-08-20T12:00:00Z');
const fresh = { ecosystem: 'npm', as_of: now, stale: false } as const;

const full: Omit<Coverage, 'status'> = {
  domains: [{ domain: 'dependencies', status: 'not_affected' }],
  feeds: [fresh],
  known: true,
  gaps: [],
};

describe('the status', () => {
  test('is not_affected where all was searched, fresh and known', () => {
    expect(toCoverage(full).status).toBe('not_affected');
  });

  test.each<[string, Partial<Coverage>]>([
    ['no domain was searched', { domains: [] }],
    ['a domain is unknown', { domains: [...full.domains, { domain: 'containers', status: 'unknown' }] }],
    ['no feed was asked', { feeds: [] }],
    ['a feed is stale', { feeds: [fresh, { ecosystem: 'Go', as_of: now, stale: true }] }],
    ['a feed is absent', { feeds: [{ ecosystem: 'npm', as_of: null, stale: false }] }],
    ['nothing knows the name', { known: false }],
    ['there is a gap', { gaps: ['one record'] }],
  ])('is unknown where %s', (_, parts) => {
    expect(toCoverage({ ...full, ...parts }).status).toBe('unknown');
  });

  test('is affected where one domain is, whatever else is missing', () => {
    const domains = [
      { domain: 'containers', status: 'affected' },
      { domain: 'dependencies', status: 'unknown' },
    ] as const;
    const coverage = toCoverage({ ...full, domains: [...domains], feeds: [], known: false, gaps: ['a gap'] });
    expect(coverage.status).toBe('affected');
    expect(coverage.domains.map(({ domain }) => domain)).toEqual(['dependencies', 'containers']);
  });
});

test('gaps are bounded in number and length, without repetitions, and the rest is counted', () => {
  const gaps = ['x'.repeat(1000), 'a', 'a', ...Array.from({ length: 20 }, (_, index) => `gap ${index}`)];
  const bounded = toCoverage({ ...full, gaps }).gaps;
  expect(bounded).toHaveLength(maxGaps);
  expect(bounded[0]).toHaveLength(maxGapLength);
  expect(bounded.slice(1, 3)).toEqual(['a', 'gap 0']);
  expect(bounded.at(-1)).toBe('and 15 more');
});

describe('the feeds of an ecosystem', () => {
  const feed = (fields: Partial<FeedRow>): FeedRow => ({
    name: 'osv:a',
    version: null,
    publishedAt: now,
    loadedAt: now,
    records: 1,
    contentHash: '00',
    validator: null,
    covers: ['npm'],
    named: ['npm'],
    unread: 0,
    ...fields,
  });
  const npmOf = (...feeds: FeedRow[]) => feedCoverage(feeds, ['npm'], now)[0];

  test('give their own age: a fresh feed of another ecosystem says nothing', () => {
    const old = new Date('2025-01-01T00:00:00Z');
    const feeds = [feed({}), feed({ covers: ['PyPI'], publishedAt: old })];
    expect(feedCoverage(feeds, ['npm', 'PyPI', 'Go', 'npm'], now)).toEqual([
      { ecosystem: 'Go', as_of: null, stale: true },
      { ecosystem: 'PyPI', as_of: old, stale: true },
      { ecosystem: 'npm', as_of: now, stale: false },
    ]);
  });

  test('count only where they cover it completely and were loaded to their end', () => {
    const missing = { ecosystem: 'npm', as_of: null, stale: true };
    expect(npmOf(feed({ covers: [] }))).toEqual(missing);
    expect(npmOf(feed({ contentHash: null }))).toEqual(missing);
  });

  test('of several the freshest counts', () => {
    const old = feed({ publishedAt: new Date('2024-01-01T00:00:00Z') });
    expect(npmOf(old, feed({}), old)).toEqual({ ecosystem: 'npm', as_of: now, stale: false });
  });

  test('without any date: that of the origin’s confirmation, none for a file', () => {
    expect(npmOf(feed({ publishedAt: null, validator: '"a"' }))).toEqual({
      ecosystem: 'npm',
      as_of: now,
      stale: false,
    });
    expect(npmOf(feed({ publishedAt: null }))).toEqual({ ecosystem: 'npm', as_of: null, stale: true });
  });
});
