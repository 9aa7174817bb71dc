import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openEpss } from '../../../src/service/feeds/epss-source.js';
import type { FeedFile } from '../../../src/service/feeds/file-bytes.js';
import { dataFile, hasData } from '../../support/data.js';
import { feedFile, readAll } from './feed-files.js';

const official = `#model_version:v2025.03.14,score_date:2025-08-15T00:00:00+0000
cve,epss,percentile
CVE-2021-44228,0.94358,0.99955
CVE-2099-0001,1e-05,0
`;

async function read(file: FeedFile) {
  const reads = await readAll((await openEpss(file)).records);
  return {
    scores: reads.flatMap((each) => (each.kind === 'record' ? [each.record] : [])),
    bad: reads.flatMap((each) => (each.kind === 'bad' ? [each.bad] : [])),
  };
}

test.each([
  ['a.csv', official],
  ['a.csv.gz', gzipSync(official)],
])('FIRST’s own form: %s', async (name, content) => {
  const { scores, bad } = await read(await feedFile(name, content));
  expect(bad).toEqual([]);
  expect(scores).toEqual([
    { cve: 'CVE-2021-44228', probability: 0.94358, percentile: 0.99955, scoredOn: '2025-08-15', model: 'v2025.03.14' },
    { cve: 'CVE-2099-0001', probability: 0.00001, percentile: 0, scoredOn: '2025-08-15', model: 'v2025.03.14' },
  ]);
});

test('columns in another order, quoted, with others between and a date of their own', async () => {
  const csv = '"source","date","percentile","epss","cve"\n"x","2025-06-18","0.5","0.25","CVE-2021-44228"\n';
  expect((await read(await feedFile('a.csv', csv))).scores).toEqual([
    { cve: 'CVE-2021-44228', probability: 0.25, percentile: 0.5, scoredOn: '2025-06-18', model: 'unknown' },
  ]);
});

test('rows that cannot be used are reported, the others are read', async () => {
  const csv = `${official}CVE-1,0.1,0.1
CVE-2021-0001,1.5,0.1
CVE-2021-0002,0.1,
CVE-2021-0003,0.1
CVE-2021-0004,0.2,0.3
`;
  const { scores, bad } = await read(await feedFile('a.csv', csv));
  expect(scores.map(({ cve }) => cve)).toEqual(['CVE-2021-44228', 'CVE-2099-0001', 'CVE-2021-0004']);
  expect(bad.map(({ at, field, problem }) => [at, field, problem])).toEqual([
    ['line 5', 'cve', 'is a CVE id such as CVE-2021-44228'],
    ['line 6', 'epss', 'is not a number from 0 to 1'],
    ['line 7', 'percentile', 'is not a number from 0 to 1'],
    ['line 8', 'percentile', 'is missing'],
  ]);
});

describe('a file that cannot be used says what is missing', () => {
  test.each([
    ['a date', 'cve,epss,percentile\nCVE-2021-44228,0.1,0.1\n', 'says nowhere which day it was scored'],
    ['a column', '#score_date:2025-08-15\ncve,epss\n', 'its header has no column percentile'],
  ])('%s', async (_, csv, words) => {
    await expect(read(await feedFile('a.csv', csv))).rejects.toThrow(words);
  });
});

describe.skipIf(!hasData)('real files', () => {
  test.each([
    ['epss-subset-2025-08-15.csv', 15, 0],
    // Some of its rows were taken from reports without a date.
    ['epss-from-scanner-samples.csv', 16, 14],
  ])('%s', async (name, good, unusable) => {
    const { scores, bad } = await read({ path: dataFile(`epss/${name}`), name });
    expect([scores.length, bad.length]).toEqual([good, unusable]);
    expect(bad.every(({ field }) => field === 'date')).toBe(true);
  });
});
