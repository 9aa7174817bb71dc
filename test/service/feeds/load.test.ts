import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PackageScope } from '../../../src/service/alerts/tracked-packages.js';
import { listFeeds } from '../../../src/service/coverage/feed-coverage.js';
import type { Database } from '../../../src/service/db/database.js';
import { FeedError, type FeedKind, type ReadResult } from '../../../src/service/feeds/feed.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import type { LoadContext, LoadRequest } from '../../../src/service/feeds/load-context.js';
import { batchWeights, loadOsv } from '../../../src/service/feeds/load-osv.js';
import type { LoadProgress } from '../../../src/service/feeds/load-report.js';
import { startReading } from '../../../src/service/feeds/reading.js';
import type { Advisory } from '../../../src/service/matching/advisory.js';
import { ownDatabase } from '../../support/own-database.js';
import { feedFile, kevCatalogue, ndjson, osvRecord, zipOf } from './feed-files.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());

const noAlerts = { opened: 0, reopened: 0, resolved: 0, updated: 0 };
const reconciled: PackageScope[] = [];
const reconcile: LoadContext['reconcile'] = async (touched) => {
  reconciled.push(touched);
  return noAlerts;
};

async function load(
  kind: FeedKind,
  name: string,
  content: string | Uint8Array,
  more: Partial<LoadRequest & LoadContext> = {},
) {
  const file = await feedFile(name, content);
  return loadFeed(
    { database, reconcile, ...more },
    { kind, file, part: name, onBad: 'report', validator: null, ...more },
  );
}

const loadOsvRecords = (records: readonly unknown[], more: Partial<LoadRequest & LoadContext> = {}) =>
  load('osv', `${randomUUID()}.ndjson`, ndjson(records), more);

const advisory = (id: string) =>
  database.system((tx) => tx.selectFrom('advisories').selectAll().where('id', '=', id).executeTakeFirst());
const packagesOf = (id: string) =>
  database.system((tx) =>
    tx
      .selectFrom('advisory_packages')
      .select(['ecosystem', 'package_name'])
      .where('advisory_id', '=', id)
      .orderBy('ecosystem')
      .orderBy('package_name')
      .execute(),
  );
const feedRow = async (name: string) => (await database.system(listFeeds)).find((feed) => feed.name === name);
const aboutPackage = (ecosystem: string, name: string) => ({ package: { ecosystem, name }, versions: ['1.0.0'] });

describe('advisories', () => {
  test('are stored with their packages, and the feed with its age', async () => {
    const id = `T-${randomUUID()}`;
    const record = osvRecord({
      id,
      aliases: ['CVE-2099-0001', 'X-1'],
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
      references: [{ type: 'FIX', url: 'https://example.com/"quoted", {braced}' }],
      details: 'Says "more",\nin two lines.',
      affected: [
        aboutPackage('PyPI', 'Some_Package'),
        aboutPackage('npm', 'a-package'),
        aboutPackage('Debian', 'libc'),
      ],
    });
    const report = await load('osv', `${id}.ndjson`, ndjson([record]));
    expect(report).toMatchObject({
      outcome: 'loaded',
      counts: { added: 1 },
      publishedAt: new Date('2025-01-02T00:00:00Z'),
    });
    expect(await advisory(id)).toMatchObject({
      cves: ['CVE-2099-0001'],
      aliases: ['CVE-2099-0001', 'X-1'],
      cvss_score: 9.8,
      severity: 'critical',
      references: ['https://example.com/"quoted", {braced}'],
      reference_kinds: ['fix'],
      details: 'Says "more",\nin two lines.',
      modified: new Date('2025-01-02T00:00:00Z'),
    });
    expect(await packagesOf(id)).toEqual(
      [
        { ecosystem: 'PyPI', package_name: 'some-package' },
        { ecosystem: 'npm', package_name: 'a-package' },
      ].sort((a, b) => (a.ecosystem < b.ecosystem ? -1 : 1)),
    );
    expect(await feedRow(`osv:${id}.ndjson`)).toMatchObject({
      records: 1,
      publishedAt: new Date('2025-01-02T00:00:00Z'),
    });
  });

  test('the same file again writes no row and says so', async () => {
    const records = [osvRecord({ id: `T-${randomUUID()}` }), osvRecord({ id: `T-${randomUUID()}` })];
    const name = `${randomUUID()}.ndjson`;
    await load('osv', name, ndjson(records));
    const before = await feedRow(`osv:${name}`);
    expect(await load('osv', name, ndjson(records))).toMatchObject({
      outcome: 'same',
      counts: { added: 0, unchanged: 2 },
    });
    expect(await feedRow(`osv:${name}`)).toEqual(before);
  });

  test('the same records from another file are unchanged', async () => {
    const records = [osvRecord({ id: `T-${randomUUID()}` })];
    await loadOsvRecords(records);
    const zip = zipOf([{ name: 'r.json', content: JSON.stringify(records[0]) }]);
    expect((await load('osv', `${randomUUID()}.zip`, zip)).counts).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: 1,
    });
  });

  test('a newer revision replaces facts and packages; an older one changes nothing', async () => {
    const archive = { part: 'npm' };
    const id = `T-${randomUUID()}`;
    await loadOsvRecords([osvRecord({ id, affected: [aboutPackage('npm', 'old'), aboutPackage('Go', 'old')] })]);
    const newer = osvRecord({
      id,
      modified: '2025-02-01T00:00:00Z',
      summary: 'new',
      affected: [aboutPackage('npm', 'new')],
    });
    expect((await loadOsvRecords([newer], archive)).counts).toMatchObject({ updated: 1 });
    expect(await packagesOf(id)).toEqual([{ ecosystem: 'npm', package_name: 'new' }]);
    expect((await loadOsvRecords([osvRecord({ id, summary: 'old' })])).counts).toMatchObject({
      updated: 0,
      skipped: 1,
    });
    expect(await advisory(id)).toMatchObject({ summary: 'new' });
  });

  test('parts of one revision, published by ecosystem, complete each other', async () => {
    const id = `T-${randomUUID()}`;
    const npm = osvRecord({ id, affected: [aboutPackage('npm', 'p')] });
    const maven = osvRecord({ id, affected: [aboutPackage('Maven', 'g:p')] });
    await loadOsvRecords([npm]);
    await loadOsvRecords([maven]);
    expect(await packagesOf(id)).toHaveLength(2);
    const both = `T-${randomUUID()}`;
    await loadOsvRecords([
      { ...npm, id: both },
      { ...maven, id: both },
    ]);
    expect(await packagesOf(both)).toHaveLength(2);
  });

  test('parts of several revisions are all kept: a file that was split by ecosystem takes nothing from another', async () => {
    const older = osvRecord({ id: `T-${randomUUID()}`, affected: [aboutPackage('PyPI', 'p')] });
    const newer = { ...older, modified: '2025-02-01T00:00:00Z', affected: [aboutPackage('npm', 'p')] };
    const both = [
      { ecosystem: 'PyPI', package_name: 'p' },
      { ecosystem: 'npm', package_name: 'p' },
    ].sort((a, b) => (a.ecosystem < b.ecosystem ? -1 : 1));
    await loadOsvRecords([older]);
    await loadOsvRecords([newer]);
    expect(await packagesOf(older.id)).toEqual(both);
    const id = `T-${randomUUID()}`;
    await loadOsvRecords([{ ...newer, id }]);
    expect((await loadOsvRecords([{ ...older, id }])).counts).toMatchObject({ updated: 1, skipped: 0 });
    expect(await packagesOf(id)).toEqual(both);
    expect(await advisory(id)).toMatchObject({ modified: new Date(newer.modified) });
  });

  test('taken back ones are kept, and counted', async () => {
    const id = `T-${randomUUID()}`;
    await loadOsvRecords([osvRecord({ id })]);
    const withdrawn = osvRecord({ id, modified: '2025-03-01T00:00:00Z', withdrawn: '2025-03-01T00:00:00Z' });
    expect((await loadOsvRecords([withdrawn])).counts).toMatchObject({ updated: 1, withdrawn: 1 });
    expect(await advisory(id)).toMatchObject({ withdrawn: new Date('2025-03-01T00:00:00Z') });
  });

  test('of ecosystems that cannot be matched are left out', async () => {
    const id = `T-${randomUUID()}`;
    const { counts } = await loadOsvRecords([osvRecord({ id, affected: [aboutPackage('Debian:12', 'libc')] })]);
    expect(counts).toMatchObject({ added: 0, skipped: 1 });
    expect(await advisory(id)).toBeUndefined();
  });

  test('with characters that a database cannot hold are stored without them', async () => {
    const id = `T-${randomUUID()}`;
    await loadOsvRecords([osvRecord({ id, summary: 'a\0b\ud800c \\u0000 "q"' })]);
    expect(await advisory(id)).toMatchObject({ summary: 'a\ufffdb\ufffdc \\u0000 "q"' });
  });

  test('two loads of the same records at once are both whole', async () => {
    const ids = Array.from({ length: 50 }, () => `T-${randomUUID()}`);
    const records = ids.map((id) => osvRecord({ id }));
    const reports = await Promise.all([loadOsvRecords(records), loadOsvRecords(records.toReversed())]);
    expect(reports.map(({ counts }) => counts.added + counts.unchanged)).toEqual([50, 50]);
    expect(reports.reduce((sum, { counts }) => sum + counts.added, 0)).toBe(50);
  });
});

describe('package health', () => {
  const unmaintained = (id: string, name: string, fields: object = {}) =>
    osvRecord({
      id,
      affected: [{ ...aboutPackage('crates.io', name), database_specific: { informational: 'unmaintained' } }],
      ...fields,
    });
  const health = (name: string) =>
    database.system((tx) =>
      tx.selectFrom('package_health').selectAll().where('package_name', '=', name).executeTakeFirst(),
    );

  test('a crate is unmaintained from the first such advisory, until it is taken back', async () => {
    const [name, first, second] = [`crate-${randomUUID()}`, `T-${randomUUID()}`, `T-${randomUUID()}`];
    await loadOsvRecords([
      unmaintained(first, name),
      unmaintained(second, name, { published: '2024-05-06T23:00:00Z' }),
    ]);
    expect(await health(name)).toMatchObject({
      ecosystem: 'crates.io',
      unmaintained_since: '2024-05-06',
      source: second,
    });
    const modified = '2025-06-01T00:00:00Z';
    await loadOsvRecords([unmaintained(second, name, { modified, withdrawn: modified })]);
    expect(await health(name)).toMatchObject({ unmaintained_since: '2025-01-01', source: first });
    await loadOsvRecords([osvRecord({ id: first, modified, affected: [aboutPackage('crates.io', name)] })]);
    expect(await health(name)).toBeUndefined();
  });
});

describe('records that cannot be used', () => {
  const bad = { id: 'T-bad' };

  test('are reported, the others are loaded', async () => {
    const id = `T-${randomUUID()}`;
    const report = await loadOsvRecords([bad, osvRecord({ id })]);
    expect(report.counts).toMatchObject({ added: 1, bad: 1 });
    expect(report.bad).toMatchObject([{ at: 'line 1', field: 'modified' }]);
    expect(await advisory(id)).toBeDefined();
  });

  test('keep the whole file out where they are refused', async () => {
    const id = `T-${randomUUID()}`;
    const loading = loadOsvRecords([osvRecord({ id }), bad], { onBad: 'refuse' });
    await expect(loading).rejects.toThrow('holds 1 record that cannot be used; nothing was loaded');
    await expect(loading).rejects.toMatchObject({ bad: [{ at: 'line 2' }] });
    expect(await advisory(id)).toBeUndefined();
  });

  test('a file with no other is an error, and leaves no trace', async () => {
    await expect(load('osv', 'only-bad.ndjson', ndjson([bad]))).rejects.toThrow(
      'only-bad.ndjson: holds no usable record',
    );
    await expect(load('osv', 'empty.ndjson', '')).rejects.toThrow(FeedError);
    expect(await feedRow('osv:only-bad.ndjson')).toBeUndefined();
  });
});

describe('a load that is broken off', () => {
  test('leaves whole batches, counts as not loaded, and is done again for all projects', async () => {
    const records = Array.from({ length: batchWeights.most + 1 }, (_, index) =>
      osvRecord({ id: `T-${randomUUID()}-${index}` }),
    );
    const name = `${randomUUID()}.ndjson`;
    const stop = new AbortController();
    const broken = load('osv', name, ndjson(records), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(broken).rejects.toThrow('enough');
    expect(await advisory(records[0]?.id ?? '')).toBeDefined();
    expect(await advisory(records.at(-1)?.id ?? '')).toBeUndefined();
    expect(await feedRow(`osv:${name}`)).toMatchObject({ contentHash: null, publishedAt: null });
    const again = await load('osv', name, ndjson(records));
    expect(again.outcome).toBe('loaded');
    expect(again.counts.added).toBeGreaterThan(0);
    expect(again.counts.unchanged).toBeGreaterThan(0);
    expect(again.counts.added + again.counts.unchanged).toBe(records.length);
    expect(reconciled.at(-1)).toBe('all');
  });
});

test('of 20,000 records never more than one batch is in hand', async () => {
  const count = 20_000;
  let handedOut = 0;
  let written = 0;
  let mostInHand = 0;
  async function* records(): AsyncGenerator<ReadResult<Advisory>> {
    for (let index = 0; index < count; index += 1) {
      handedOut += 1;
      mostInHand = Math.max(mostInHand, handedOut - written);
      yield { kind: 'record', record: smallAdvisory(`BULK-${index}`) };
    }
  }
  const progress: LoadProgress[] = [];
  const { counts } = await loadOsv(
    database,
    { records: records(), fraction: () => handedOut / count },
    startReading(),
    (_, at) => {
      written = at.records;
      progress.push(at);
    },
  );
  expect(counts.added).toBe(count);
  expect(mostInHand).toBeLessThanOrEqual(batchWeights.most);
  expect(progress.at(-1)).toEqual({ records: count, fraction: 1 });
  await database.system((tx) => tx.deleteFrom('advisories').where('id', 'like', 'BULK-%').execute());
});

function smallAdvisory(id: string): Advisory {
  return {
    id,
    modified: new Date(0),
    published: null,
    withdrawn: null,
    summary: '',
    cves: [],
    aliases: [],
    severity: null,
    cvss: null,
    malicious: false,
    informational: null,
    cwes: [],
    details: null,
    references: [],
    referenceKinds: [],
    packages: [{ ecosystem: 'npm', name: id, affected: { ranges: [], versions: ['1.0.0'] }, symbols: [] }],
  };
}

describe('EPSS', () => {
  const csv = (date: string, ...rows: string[]) =>
    `#model_version:v9,score_date:${date}T00:00:00+0000\ncve,epss,percentile\n${rows.join('\n')}\n`;
  const score = (cve: string) =>
    database.system((tx) => tx.selectFrom('epss').selectAll().where('cve', '=', cve).executeTakeFirst());

  test('a later day goes over an earlier one, never the other way', async () => {
    const first = await load('epss', 'a.csv', csv('2025-08-02', 'CVE-2098-0001,0.1,0.2', 'CVE-2098-0002,0.3,0.4'));
    expect(first).toMatchObject({
      outcome: 'loaded',
      version: 'v9',
      counts: { added: 2 },
      publishedAt: new Date('2025-08-02'),
    });
    const second = await load('epss', 'b.csv', csv('2025-08-03', 'CVE-2098-0001,0.5,0.6', 'CVE-2098-0001,0.5,0.6'));
    expect(second.counts).toMatchObject({ added: 0, updated: 1, unchanged: 1, skipped: 0 });
    const older = await load('epss', 'c.csv', csv('2025-08-01', 'CVE-2098-0001,0.9,0.9', 'CVE-2098-0003,0.9,0.9'));
    expect(older.counts).toMatchObject({ added: 1, updated: 0, skipped: 1 });
    expect(await score('CVE-2098-0001')).toMatchObject({
      probability: 0.5,
      percentile: 0.6,
      scored_on: '2025-08-03',
      model: 'v9',
    });
    expect(await feedRow('epss')).toMatchObject({ version: 'v9', publishedAt: new Date('2025-08-03') });
  });
});

describe('KEV', () => {
  const entry = (cveID: string, fields: object = {}) => ({
    cveID,
    dateAdded: '2025-01-01',
    dueDate: '2025-02-01',
    ...fields,
  });
  const cves = async () =>
    (await database.system((tx) => tx.selectFrom('kev').select('cve').orderBy('cve').execute())).map(({ cve }) => cve);

  test('a catalogue replaces the one before, and an older one does not', async () => {
    const [a, b, c] = ['CVE-2098-1001', 'CVE-2098-1002', 'CVE-2098-1003'];
    await load('kev', 'kev.json', kevCatalogue([entry(a), entry(b)]));
    const next = kevCatalogue([entry(b, { dueDate: null }), entry(c)], {
      dateReleased: '2025-09-01T00:00:00Z',
      catalogVersion: '2',
    });
    const report = await load('kev', 'kev.json', next);
    expect(report).toMatchObject({ version: '2', counts: { added: 1, updated: 1, removed: 1, unchanged: 0 } });
    expect(await cves()).toEqual([b, c]);
    expect(await load('kev', 'kev.json', kevCatalogue([entry(a)]))).toMatchObject({ outcome: 'older', version: '2' });
    expect(await cves()).toEqual([b, c]);
  });

  test('nothing is removed where an entry cannot be read', async () => {
    const before = await cves();
    const fields = { dateReleased: '2025-09-02T00:00:00Z' };
    const report = await load('kev', 'kev.json', kevCatalogue([entry('CVE-2098-1003'), entry('no id')], fields));
    expect(report).toMatchObject({ counts: { bad: 1, removed: 0 }, bad: [{ at: 'record 2', field: 'cveID' }] });
    expect(await cves()).toEqual(before);
    const strict = load('kev', 'kev.json', kevCatalogue([entry('no id'), entry('CVE-2098-1003')], fields), {
      onBad: 'refuse',
    });
    await expect(strict).rejects.toThrow('nothing was loaded, as --strict asks');
  });

  test('an empty catalogue is an error', async () => {
    await expect(load('kev', 'kev.json', kevCatalogue([], { dateReleased: '2026-01-01T00:00:00Z' }))).rejects.toThrow(
      'holds no usable record',
    );
  });
});
