import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFeeds } from '../../../src/service/coverage/feed-coverage.js';
import type { Database } from '../../../src/service/db/database.js';
import type { FeedEvent } from '../../../src/service/feeds/feed-event.js';
import { type FeedOrigin, originsOf, publicFeeds } from '../../../src/service/feeds/feed-origins.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { syncFeeds } from '../../../src/service/feeds/sync.js';
import { ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { ownDatabase } from '../../support/own-database.js';
import { kevCatalogue, osvRecord, testFolder, zipOf } from './feed-files.js';
import { startOrigin } from './origin.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());

test('loads every feed, whatever happens to another, and asks only for what is new the next time', async () => {
  const record = osvRecord({ id: `T-${randomUUID()}` });
  const files: Record<string, string | Buffer> = {
    '/npm/all.zip': zipOf([{ name: 'r.json', content: JSON.stringify(record) }]),
    '/Go/all.zip': '<html>try again later</html>',
    '/epss.csv': '#model_version:v9,score_date:2025-08-15T00:00:00+0000\ncve,epss,percentile\nCVE-2097-0001,0.1,0.2\n',
    '/kev.json': kevCatalogue([{ cveID: 'CVE-2097-0001', dateAdded: '2025-01-01' }]),
  };
  const origin = await startOrigin((req, res) => {
    const content = files[req.url ?? ''];
    if (content === undefined) res.writeHead(500).end();
    else if (req.headers['if-none-match'] === '"1"') res.writeHead(304).end();
    else res.setHeader('etag', '"1"').end(content);
  });
  const feed = (kind: FeedOrigin['kind'], part: string, path: string): FeedOrigin => ({
    kind,
    part,
    url: `${origin.url}${path}`,
  });
  const origins = [
    feed('osv', 'broken', '/none/all.zip'),
    feed('osv', 'Go', '/Go/all.zip'),
    feed('osv', 'npm', '/npm/all.zip'),
    feed('epss', '', '/epss.csv'),
    feed('kev', '', '/kev.json'),
  ];
  const dataDir = await testFolder();
  const sync = async () => {
    const events: FeedEvent[] = [];
    const emit = (event: FeedEvent) => events.push(event);
    await syncFeeds({ database, dataDir, emit, reconcile: reconcileWith(database) }, origins);
    return events.flatMap((event) => {
      if (event.type === 'progress') return [];
      return event.type === 'loaded' ? [`loaded ${event.report.feed}`] : [`${event.type} ${event.feed}`];
    });
  };
  expect(await sync()).toEqual(['failed osv:broken', 'failed osv:Go', 'loaded osv:npm', 'loaded epss', 'loaded kev']);
  const before = await database.system(listFeeds);
  expect(before.map(({ name, validator }) => [name, validator]).sort()).toEqual([
    ['epss', '"1"'],
    ['kev', '"1"'],
    ['osv:npm', '"1"'],
  ]);
  expect(await sync()).toEqual([
    'failed osv:broken',
    'failed osv:Go',
    'current osv:npm',
    'current epss',
    'current kev',
  ]);
  const after = await database.system(listFeeds);
  expect(after.map(({ loadedAt }) => loadedAt.getTime())).not.toEqual(before.map(({ loadedAt }) => loadedAt.getTime()));
  expect(await readdir(join(dataDir, 'downloads'))).toEqual([]);
});

function unexpected(event: FeedEvent): never {
  throw new Error(`${event.type} was emitted`);
}

test('an end that is asked for is an end, not a failed feed', async () => {
  const origin = await startOrigin(() => stop.abort(new Error('enough')));
  const stop = new AbortController();
  const context = { database, dataDir: await testFolder(), reconcile: reconcileWith(database), signal: stop.signal };
  const syncing = syncFeeds({ ...context, emit: unexpected }, [
    { kind: 'kev', part: '', url: `${origin.url}/kev.json` },
  ]);
  await expect(syncing).rejects.toThrow('enough');
});

test('the public feeds are read by https and can be named by kind or in full', () => {
  expect(publicFeeds.every(({ url }) => url.startsWith('https://'))).toBe(true);
  expect(originsOf(publicFeeds, [])).toHaveLength(ecosystems.length + 2);
  expect(originsOf(publicFeeds, ['osv:crates.io', 'kev']).map(({ part }) => part)).toEqual(['crates.io', '']);
  expect(originsOf(publicFeeds, ['osv']).map(({ part }) => part)).toEqual(ecosystems);
  expect(() => originsOf(publicFeeds, ['nvd'])).toThrow('there is no such feed; there are osv, osv:npm,');
});
