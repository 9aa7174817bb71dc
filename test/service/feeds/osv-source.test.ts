import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FeedFile } from '../../../src/service/feeds/file-bytes.js';
import { openOsv } from '../../../src/service/feeds/osv-source.js';
import { feedFile, ndjson, osvRecord, readAll, testFolder, zipOf } from './feed-files.js';

const good = [osvRecord({ id: 'T-1' }), osvRecord({ id: 'T-2' })];

async function read(file: FeedFile) {
  const reads = await readAll((await openOsv(file)).records);
  return {
    ids: reads.flatMap((each) => (each.kind === 'record' ? [each.record.id] : [])),
    bad: reads.flatMap((each) => (each.kind === 'bad' ? [each.bad] : [])),
  };
}

const zip = (records: readonly { id: string }[]) =>
  zipOf(records.map((record) => ({ name: `${record.id}.json`, content: JSON.stringify(record) })));

describe('file types', () => {
  test.each([
    ['a.ndjson', ndjson(good)],
    ['a.jsonl', ndjson(good)],
    ['A.NDJSON.GZ', gzipSync(ndjson(good))],
    ['a.json', JSON.stringify(good)],
    ['all.zip', zip(good)],
  ])('%s', async (name, content) => {
    expect(await read(await feedFile(name, content))).toEqual({ ids: ['T-1', 'T-2'], bad: [] });
  });

  test('one record as .json', async () => {
    expect((await read(await feedFile('T-1.json', JSON.stringify(good[0])))).ids).toEqual(['T-1']);
  });

  test('another type is refused with the types that are read', async () => {
    const file = await feedFile('a.csv', '');
    await expect(openOsv(file)).rejects.toThrow('a.csv: not a file type of osv; it takes .zip, .ndjson, .jsonl');
  });

  test('a file that is not there is called so', async () => {
    const path = `${await testFolder()}/a.zip`;
    await expect(openOsv({ path, name: 'a.zip' })).rejects.toThrow('a.zip: there is no such file');
  });
});

describe('a record that cannot be used', () => {
  test('is reported by file, place, field and cause, and the others are read', async () => {
    const { affected: _, ...rest } = osvRecord({ id: 'T-3' });
    const lines = [
      osvRecord({ id: 'T-1' }),
      osvRecord({ id: 'T-2', modified: 'yesterday' }),
      { ...rest, id: undefined },
      osvRecord({ id: 'T-4', affected: [{ package: { ecosystem: 'npm' } }] }),
    ];
    const { ids, bad } = await read(
      await feedFile('a.ndjson', `${ndjson(lines)}{"id":\n[]\n${ndjson([osvRecord({ id: 'T-5' })])}`),
    );
    expect(ids).toEqual(['T-1', 'T-5']);
    expect(bad).toEqual([
      { file: 'a.ndjson', at: 'line 2', field: 'modified', problem: 'is not a date such as 2025-08-15T00:00:00Z' },
      { file: 'a.ndjson', at: 'line 3', field: 'id', problem: 'is missing' },
      { file: 'a.ndjson', at: 'line 4', field: 'affected.0.package.name', problem: 'is missing' },
      { file: 'a.ndjson', at: 'line 5', field: '', problem: 'is not JSON' },
      { file: 'a.ndjson', at: 'line 6', field: '', problem: 'expected object, received array' },
    ]);
  });

  test('in a zip is named by its entry, made fit for a terminal', async () => {
    const archive = zipOf([
      { name: 'x\u001b[31m.json', content: '{' },
      { name: 'README.md', content: 'not a record' },
      { name: 'T-1.json', content: JSON.stringify(good[0]) },
    ]);
    const { ids, bad } = await read(await feedFile('all.zip', archive));
    expect(ids).toEqual(['T-1']);
    expect(bad).toEqual([{ file: 'all.zip', at: 'entry x\ufffd[31m.json', field: '', problem: 'is not JSON' }]);
  });

  test('in a zip may be larger than is read', async () => {
    const archive = zipOf([
      { name: 'big.json', content: JSON.stringify({ ...good[0], details: 'x'.repeat(17 * 1024 * 1024) }) },
      { name: 'T-1.json', content: JSON.stringify(good[0]) },
    ]);
    const { ids, bad } = await read(await feedFile('all.zip', archive));
    expect(ids).toEqual(['T-1']);
    expect(bad).toMatchObject([{ at: 'entry big.json', problem: 'is larger than 16 MB' }]);
  });

  test('in a zip may say that it is smaller than it is', async () => {
    const archive = zipOf([{ name: 'lie.json', content: JSON.stringify(good[0]), declaredSize: 5 }]);
    expect(await read(await feedFile('all.zip', archive))).toMatchObject({
      ids: [],
      bad: [{ problem: 'is damaged or encrypted' }],
    });
  });
});

describe('a file that cannot be used', () => {
  test('a web page under the name of an archive', async () => {
    await expect(openOsv(await feedFile('all.zip', '<html>'))).rejects.toThrow('all.zip: is not a zip archive');
    await expect(openOsv(await feedFile('a.ndjson.gz', '<html>'))).rejects.toThrow('a.ndjson.gz: is not a gzip file');
    await expect(read(await feedFile('a.json', '<html>'))).rejects.toThrow('a.json: is not JSON');
  });

  test('archives that are cut off', async () => {
    await expect(openOsv(await feedFile('all.zip', zip(good).subarray(0, -30)))).rejects.toThrow(
      'damaged or incomplete zip',
    );
    await expect(read(await feedFile('a.ndjson.gz', gzipSync(ndjson(good)).subarray(0, -12)))).rejects.toThrow(
      'a.ndjson.gz: is damaged or cut off',
    );
  });

  test('archives that unpack to what exhausts a machine', async () => {
    const content = ' '.repeat(15 * 1024 * 1024);
    const bomb = zipOf(Array.from({ length: 3 }, (_, index) => ({ name: `${index}.json`, content })));
    await expect(read(await feedFile('all.zip', bomb))).rejects.toThrow(
      'all.zip: unpacks to more than 100 times its size',
    );
    const gzip = gzipSync('x'.repeat(40 * 1024 * 1024));
    await expect(read(await feedFile('a.ndjson.gz', gzip))).rejects.toThrow('unpacks to more than 100 times its size');
  });

  test('a .json that is too large to be held', async () => {
    const file = await feedFile('a.json', ' '.repeat(17 * 1024 * 1024));
    await expect(read(file)).rejects.toThrow('a.json: is larger than 16 MB: give it as .ndjson or .zip');
  });
});
