import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFeeds } from '../../../src/procedures/feeds.js';
import type { Database } from '../../../src/service/db/database.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { feedFile, kevCatalogue } from '../feeds/feed-files.js';
import { loadCovering, newProject, record, track } from './organisation.js';

const nextSync = new Date('2030-01-02T03:04:05Z');
let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database, nextSync: () => nextSync });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

async function read(credential: string, of = service) {
  const { status, body } = await of.call(credential, 'GET', '/api/intelligence/feeds');
  expect(status, JSON.stringify(body)).toBe(200);
  return getFeeds.output.parse(body);
}

test('feeds are shown with their age, and each ecosystem with whether its advisories are complete', async () => {
  const organisation = await service.newOrganisation();
  expect(await read(organisation.readKey)).toMatchObject({ feeds: [], stale: true, next_sync_at: nextSync });
  const today = new Date().toISOString();
  await loadCovering(service, ['npm'], record(`GHSA-${randomUUID()}`, 'a', { modified: today }));
  const file = await feedFile('kev.json', kevCatalogue([{ cveID: 'CVE-2094-0001', dateAdded: '2025-01-01' }]));
  await loadFeed(
    { database, reconcile: reconcileWith(database) },
    { kind: 'kev', file, part: '', onBad: 'refuse', validator: null },
  );
  const projectId = await newProject(service, organisation, 'shop');
  await track(service, organisation, projectId, { ecosystem: 'PyPI', name: 'flask', version: '1.0.0' });

  const { feeds, ecosystems, stale } = await read(organisation.readKey);
  expect(feeds).toMatchObject([
    { name: 'kev', kind: 'kev', complete: true },
    { kind: 'osv', complete: true, stale: false, records: 1, unread: 0, covers: ['npm'] },
  ]);
  expect(ecosystems.find(({ ecosystem }) => ecosystem === 'npm')).toMatchObject({ stale: false, tracked: false });
  expect(ecosystems.find(({ ecosystem }) => ecosystem === 'PyPI')).toEqual({
    ...{ ecosystem: 'PyPI', as_of: null, stale: true, tracked: true },
  });
  // EPSS is absent.
  expect(stale).toBe(true);
});

test('every caller may read them, and a key that is bound to projects learns of no other’s', async () => {
  const organisation = await service.newOrganisation();
  const [shop, blog] = [
    await newProject(service, organisation, 'shop'),
    await newProject(service, organisation, 'blog'),
  ];
  await track(service, organisation, shop, { ecosystem: 'Go', name: 'golang.org/x/text', version: '1.0.0' });
  const { body } = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', {
    ...{ name: 'bound', scope: 'ReadOnly', project_ids: [blog] },
  });
  const trackedBy = async (credential: string) =>
    (await read(credential)).ecosystems.filter(({ tracked }) => tracked).map(({ ecosystem }) => ecosystem);
  for (const credential of [organisation.readKey, organisation.member.session, organisation.admin.session]) {
    expect(await trackedBy(credential)).toEqual(['Go']);
  }
  expect(await trackedBy(String(at(body, 'key')))).toEqual([]);
});

test('nothing is said of a next sync where none is scheduled, and nothing that only an operator may know', async () => {
  const unscheduled = await startService({ database });
  const organisation = await unscheduled.newOrganisation();
  expect((await read(organisation.readKey, unscheduled)).next_sync_at).toBeNull();
  const { body } = await unscheduled.call(organisation.readKey, 'GET', '/api/intelligence/feeds');
  expect(JSON.stringify(body)).not.toMatch(/unread_records|etag|validator|content_hash|published_at/);
  await unscheduled.close();
});
