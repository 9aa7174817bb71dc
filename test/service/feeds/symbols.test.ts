import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PackageScope } from '../../../src/service/alerts/tracked-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import type { LoadContext, LoadRequest } from '../../../src/service/feeds/load-context.js';
import { openSymbols } from '../../../src/service/feeds/symbol-source.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { feedFile, ndjson, readAll, zipOf } from './feed-files.js';

const ids = ['GHSA-2222-2222-2222', 'GHSA-3333-3333-3333', 'GHSA-4444-4444-4444'] as const;

/** A record whose names may exclude a use; any field can be given. */
const symbolRecord = (id: string, fields: object = {}) => ({
  id,
  aliases: ['CVE-2099-1000'],
  affected: [{ package: { ecosystem: 'npm', name: 'a-package' }, symbols: ['run'] }],
  evidence: { source: 'advisory_text+fix_commit', confidence: 'high' },
  ...fields,
});

const about = (ecosystem: string, name: string, symbols: readonly string[], more: object = {}) => ({
  affected: [{ package: { ecosystem, name }, symbols, ...more }],
});

async function read(records: readonly unknown[]) {
  const reads = await readAll((await openSymbols(await feedFile('a.ndjson', ndjson(records)))).records);
  return reads.map((each) => (each.kind === 'record' ? each.record : each.bad));
}

describe('a record', () => {
  test.skipIf(!hasData)('that is real is read whole', async () => {
    const path = dataFile('symbols/GHSA-35jh-r3h4-6jhm.json');
    const [only, ...others] = await readAll((await openSymbols({ path, name: 'a.json' })).records);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      kind: 'record',
      record: {
        id: 'GHSA-35jh-r3h4-6jhm',
        aliases: ['CVE-2021-23337', 'CVE-2026-4800', 'GHSA-r5fr-rjxr-66jc'],
        packages: [
          { ecosystem: 'npm', name: 'lodash', symbols: ['lodash.template'], canExclude: true },
          { name: 'lodash-es', symbols: ['lodash-es.template'] },
          { name: 'lodash-template', symbols: ['lodash-template.template'] },
          { name: 'lodash.template', symbols: ['lodash.template.template'] },
        ],
      },
    });
  });

  test('names ids as they are compared, functions as advisories do, and each package once', async () => {
    const affected = [
      { package: { ecosystem: 'npm', name: 'a-package' }, symbols: ['run', 'a-package.run', 'a-package'] },
      { package: { ecosystem: 'npm', name: 'a-package' }, symbols: ['stop'], modulePath: 'a-package/lib' },
      { package: { ecosystem: 'Debian:12', name: 'libc' }, symbols: ['gets'] },
    ];
    const aliases = ['cve-2099-1000', 'no id', 'CVE-2099-1000'];
    expect(await read([symbolRecord('ghsa-2222-2222-2222', { aliases, affected })])).toEqual([
      {
        id: ids[0],
        aliases: ['CVE-2099-1000'],
        packages: [
          {
            ecosystem: 'npm',
            name: 'a-package',
            symbols: ['a-package.run', 'a-package', 'a-package.stop'],
            canExclude: false,
          },
        ],
      },
    ]);
  });

  test.each([
    ['text and diff agree', {}, true],
    ['text alone, held for certain', { evidence: { source: 'advisory_text', confidence: 'high' } }, true],
    ['text alone', { evidence: { source: 'advisory_text', confidence: 'medium' } }, false],
    ['a fix’s diff', { evidence: { source: 'fix_commit', confidence: 'high' } }, false],
    ['a person', { evidence: { source: 'manual', confidence: 'high' } }, false],
    ['an unknown source', { evidence: { source: ['advisory_text'], confidence: 'high' } }, false],
    ['a call', { trigger: 'call' }, true],
    ['a value', { trigger: 'data_value' }, false],
    ['an unknown trigger', { trigger: 7 }, false],
    ['a file of its own', about('npm', 'a-package', ['run'], { modulePath: 'a-package/lib' }), false],
    ['another ecosystem', about('Go', 'example.com/m', ['Run']), false],
  ])('of %s may exclude: %j %s', async (_, fields, canExclude) => {
    expect(await read([symbolRecord(ids[0], fields)])).toMatchObject([{ packages: [{ canExclude }] }]);
  });

  test.each([
    [symbolRecord('lodash'), 'id'],
    [symbolRecord(ids[0], { affected: [] }), 'affected'],
    [symbolRecord(ids[0], { affected: undefined }), 'affected'],
    [symbolRecord(ids[0], { evidence: undefined }), 'evidence'],
    [symbolRecord(ids[0], about('npm', 'a', [])), 'affected.0.symbols'],
    [symbolRecord(ids[0], about('npm', 'a', ['a b'])), 'affected.0.symbols.0'],
    [symbolRecord(ids[0], about('npm', 'a', ['a\0'])), 'affected.0.symbols.0'],
    [symbolRecord(ids[0], about('npm', 'a', ['\ud800'])), 'affected.0.symbols.0'],
    [symbolRecord(ids[0], about('npm', 'a', Array(501).fill('run'))), 'affected.0.symbols'],
    [symbolRecord(ids[0], about('npm', 'a b', ['run'])), 'affected.0.package.name'],
    [[], ''],
  ])('%j is reported by its field %s', async (record, field) => {
    expect(await read([record, symbolRecord(ids[1])])).toMatchObject([{ at: 'line 1', field }, { id: ids[1] }]);
  });

  test.each([
    ['a.json', JSON.stringify([symbolRecord(ids[0]), symbolRecord(ids[1])])],
    ['a.jsonl.gz', gzipSync(ndjson([symbolRecord(ids[0]), symbolRecord(ids[1])]))],
    [
      'a.zip',
      zipOf([ids[0], ids[1]].map((id) => ({ name: `x/${id}.json`, content: JSON.stringify(symbolRecord(id)) }))),
    ],
  ])('is read from %s', async (name, content) => {
    const reads = await readAll((await openSymbols(await feedFile(name, content))).records);
    expect(reads).toMatchObject([{ record: { id: ids[0] } }, { record: { id: ids[1] } }]);
  });
});

describe('a load', () => {
  let database: Database;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(() => database.close());

  const reconciled: PackageScope[] = [];
  const reconcile: LoadContext['reconcile'] = async (touched) => {
    reconciled.push(touched);
    return { opened: 0, reopened: 0, resolved: 0, updated: 0 };
  };

  async function load(name: string, records: readonly unknown[], more: Partial<LoadRequest> = {}) {
    const file = await feedFile(name, ndjson(records));
    const request: LoadRequest = { kind: 'symbols', file, part: name, onBad: 'report', validator: null, ...more };
    return loadFeed({ database, reconcile }, request);
  }

  const stored = () =>
    database.system((tx) =>
      tx
        .selectFrom('symbol_records')
        .select(['record_id', 'package_name', 'symbols', 'can_exclude', 'feed'])
        .orderBy('record_id')
        .orderBy('package_name')
        .execute(),
    );

  test('replaces each record as a whole, and removes those that its file no longer has', async () => {
    const two = { affected: [...about('npm', 'a', ['x']).affected, ...about('npm', 'b', ['y']).affected] };
    expect(await load('one.ndjson', [symbolRecord(ids[0], two), symbolRecord(ids[1])])).toMatchObject({
      feed: 'symbols:one.ndjson',
      outcome: 'loaded',
      counts: { added: 2, updated: 0, removed: 0 },
    });
    expect(await load('other.ndjson', [symbolRecord(ids[2])])).toMatchObject({ counts: { added: 1, removed: 0 } });
    const next = [symbolRecord(ids[0], { ...about('npm', 'b', ['z']), evidence: {} })];
    expect(await load('one.ndjson', next)).toMatchObject({ counts: { added: 0, updated: 1, removed: 1 } });
    expect(await stored()).toEqual([
      { record_id: ids[0], package_name: 'b', symbols: ['b.z'], can_exclude: false, feed: 'symbols:one.ndjson' },
      {
        record_id: ids[2],
        package_name: 'a-package',
        symbols: ['a-package.run'],
        can_exclude: true,
        feed: 'symbols:other.ndjson',
      },
    ]);
    expect(await load('one.ndjson', next)).toMatchObject({ outcome: 'same', counts: { unchanged: 1 } });
  });

  test('removes nothing where a record could not be read, and nothing of a strict load is written', async () => {
    const before = await stored();
    const records = [symbolRecord(ids[1]), { id: ids[0] }];
    await expect(load('one.ndjson', records, { onBad: 'refuse' })).rejects.toThrow(
      'holds 1 record that cannot be used',
    );
    expect(await stored()).toEqual(before);
    expect(await load('one.ndjson', records)).toMatchObject({
      counts: { added: 1, removed: 0, bad: 1 },
      bad: [{ at: 'line 2', field: 'affected' }],
    });
    expect((await stored()).map(({ record_id }) => record_id)).toEqual(ids);
  });

  test('a record belongs to the file that had it last', async () => {
    await load('other.ndjson', [symbolRecord(ids[1]), symbolRecord(ids[2])]);
    expect(await load('one.ndjson', [symbolRecord(ids[0])])).toMatchObject({ counts: { removed: 0 } });
    expect((await stored()).map(({ record_id, feed }) => [record_id, feed])).toEqual([
      [ids[0], 'symbols:one.ndjson'],
      [ids[1], 'symbols:other.ndjson'],
      [ids[2], 'symbols:other.ndjson'],
    ]);
  });

  test('counts the same record twice once, and says which are of ecosystems that are not matched', async () => {
    const records = [
      symbolRecord(ids[0], about('npm', 'a', ['first'])),
      symbolRecord(ids[1], about('Debian', 'libc', ['gets'])),
      symbolRecord('GHSA-5555-5555-5555', about('Debian', 'libc', ['gets'])),
      symbolRecord(ids[0], about('npm', 'a', ['last'])),
    ];
    expect(await load('one.ndjson', records)).toMatchObject({
      counts: { added: 0, updated: 2, unchanged: 1, skipped: 1, unmatched: 1 },
    });
    expect(await stored()).toMatchObject([{ record_id: ids[0], symbols: ['a.last'] }, { record_id: ids[2] }]);
  });

  test('reassesses the projects that track a package whose symbols changed, and no other', async () => {
    reconciled.length = 0;
    await load('one.ndjson', [symbolRecord(ids[0], about('npm', 'tracked-by-none', ['run']))]);
    expect(reconciled).toEqual([[]]);
  });
});
