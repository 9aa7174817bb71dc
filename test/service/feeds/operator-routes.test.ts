import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import type { FeedEvent } from '../../../src/service/feeds/feed-event.js';
import type { FeedFile } from '../../../src/service/feeds/file-bytes.js';
import { operatorFeedRoutes } from '../../../src/service/feeds/operator-routes.js';
import { requestStatus, requestSync, uploadFeed } from '../../../src/service/feeds/remote-service.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { feedFile, kevCatalogue, ndjson, osvRecord } from './feed-files.js';
import { startOrigin } from './origin.js';

let database: Database;
let service: TestService;
let dataDir: string;
let originUrl = '';

beforeAll(async () => {
  database = await ownDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postern-operator-'));
  const origins = [
    {
      kind: 'kev' as const,
      part: '',
      get url() {
        return `${originUrl}/kev.json`;
      },
    },
  ];
  service = await startService({
    database,
    operatorRoutes: operatorFeedRoutes({ database, dataDir, origins, maxUploadBytes: 100_000 }),
  });
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

function unexpected(event: FeedEvent): never {
  throw new Error(`${event.type} was emitted`);
}

const remote = () => ({ url: service.url, operatorKey: service.operatorKey });

async function upload(file: FeedFile, onBad: 'report' | 'refuse' = 'report'): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  await uploadFeed(remote(), { kind: 'osv', file, onBad }, (event) => events.push(event));
  return events;
}

describe('a service that holds the database', () => {
  test('loads a file that is uploaded, reports its progress, and keeps nothing of it', async () => {
    const id = `T-${randomUUID()}`;
    const events = await upload(await feedFile('a&b ü.ndjson', ndjson([osvRecord({ id })])));
    expect(events).toMatchObject([
      { type: 'progress', feed: 'osv:a&b ü.ndjson', records: 1 },
      {
        type: 'loaded',
        report: { outcome: 'loaded', counts: { added: 1 }, publishedAt: new Date('2025-01-02T00:00:00Z') },
      },
    ]);
    await expect.poll(() => readdir(join(dataDir, 'uploads'))).toEqual([]);
    const status = await requestStatus(remote());
    expect(status.feeds).toContainEqual(
      expect.objectContaining({ name: 'osv:a&b ü.ndjson', records: 1, complete: true }),
    );
  });

  test('reports a file that cannot be used', async () => {
    const file = await feedFile('b.ndjson', ndjson([{ id: 'x' }, osvRecord({ id: 'T-fine' })]));
    expect(await upload(file, 'refuse')).toMatchObject([
      {
        type: 'failed',
        feed: 'osv:b.ndjson',
        problem: expect.stringContaining('1 record that cannot be used'),
        bad: [{ at: 'line 1' }],
      },
    ]);
  });

  test('syncs when it is asked to', async () => {
    const origin = await startOrigin((_, res) =>
      res.end(kevCatalogue([{ cveID: 'CVE-2096-0001', dateAdded: '2025-01-01' }])),
    );
    originUrl = origin.url;
    const events: FeedEvent[] = [];
    await requestSync(remote(), ['kev'], (event) => events.push(event));
    expect(events.at(-1)).toMatchObject({ type: 'loaded', report: { feed: 'kev', counts: { added: 1 } } });
    const unknown = requestSync(remote(), ['nvd'], unexpected);
    await expect(unknown).rejects.toThrow('only: there is no such feed; there are kev');
  });

  test('refuses another key before the file is on its way', async () => {
    const file = await feedFile('a.ndjson', ndjson([osvRecord({ id: 'T-1' })]));
    const stranger = { url: service.url, operatorKey: 'x'.repeat(64) };
    const uploading = uploadFeed(stranger, { kind: 'osv', file, onBad: 'report' }, unexpected);
    await expect(uploading).rejects.toThrow('does not take this operator key');
    await expect(uploading).rejects.not.toThrow('xxxx');
  });

  test('that is not there is called so', async () => {
    await expect(requestStatus({ url: 'http://127.0.0.1:9', operatorKey: 'k' })).rejects.toThrow(
      'could not be reached',
    );
  });
});

describe('PUT /feeds/{kind}', () => {
  const put = (path: string, body: string) =>
    service.call(service.operatorKey, 'PUT', `/api/operator/feeds/${path}`, body, {
      'content-type': 'application/octet-stream',
    });

  test.each([
    ['osv?name=a.txt', 'name', 'a.txt: not a file type of osv; it takes .zip'],
    ['osv', 'name', 'is required'],
    ['nvd?name=a.json', 'kind', 'expected one of "osv"|"epss"|"kev"|"symbols"'],
    ['osv?name=a.json&on_bad=ignore', 'on_bad', 'expected one of'],
  ])('%s is refused', async (path, field, words) => {
    const { status, body } = await put(path, '{}');
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ field, message: expect.stringContaining(words) }] });
  });

  test('a file above the limit is refused, and nothing of it stays', async () => {
    const { status, body } = await put('osv?name=a.ndjson', 'x'.repeat(100_001));
    expect([status, body]).toMatchObject([413, { code: 'too_large' }]);
    await expect.poll(() => readdir(join(dataDir, 'uploads'))).toEqual([]);
  });

  test('other methods are answered with those that exist', async () => {
    const { status, headers } = await service.call(service.operatorKey, 'DELETE', '/api/operator/feeds');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
