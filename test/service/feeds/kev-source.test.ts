import { expect, test } from 'vitest';
import { readKev } from '../../../src/service/feeds/kev-source.js';
import { dataFile, hasData } from '../../support/data.js';
import { feedFile, kevCatalogue } from './feed-files.js';

const entry = {
  cveID: 'CVE-2099-0001',
  dateAdded: '2025-08-25',
  dueDate: '2025-09-15',
  knownRansomwareCampaignUse: 'Known',
};

test('reads CISA’s catalogue', async () => {
  const other = { cveID: 'CVE-2099-0002', dateAdded: '2025-08-01', knownRansomwareCampaignUse: 'Unknown' };
  expect(await readKev(await feedFile('kev.json', kevCatalogue([entry, other])))).toEqual({
    version: '2025.08.25',
    releasedAt: new Date('2025-08-25T17:04:19.979Z'),
    entries: [
      { cve: 'CVE-2099-0001', dateAdded: '2025-08-25', dueDate: '2025-09-15', ransomware: true },
      { cve: 'CVE-2099-0002', dateAdded: '2025-08-01', dueDate: null, ransomware: false },
    ],
    bad: [],
  });
});

test('an entry that cannot be used is reported, the others are read', async () => {
  const catalogue = await readKev(await feedFile('kev.json', kevCatalogue([{ ...entry, dateAdded: 'soon' }, entry])));
  expect(catalogue.entries).toHaveLength(1);
  expect(catalogue.bad).toEqual([
    { file: 'kev.json', at: 'record 1', field: 'dateAdded', problem: 'is not a date such as 2025-08-25' },
  ]);
});

test.each([
  ['cut off', kevCatalogue([entry]).slice(0, -5), 'kev.json: is not JSON, or is cut off'],
  [
    'fewer entries than it says',
    kevCatalogue([entry], { count: 1404 }),
    'says it has 1404 entries but holds 1: it is not whole',
  ],
  ['something else', '{"vulnerabilities":[]}', "is not CISA's catalogue: catalogVersion is missing"],
  ['another date', kevCatalogue([entry], { dateReleased: 'now' }), 'dateReleased is not a date such as'],
])('refuses a catalogue that is %s', async (_, content, words) => {
  await expect(readKev(await feedFile('kev.json', content))).rejects.toThrow(words);
});

test('takes .json only', async () => {
  await expect(readKev(await feedFile('kev.csv', ''))).rejects.toThrow(
    'kev.csv: not a file type of kev; it takes .json',
  );
});

test.skipIf(!hasData)('the real catalogue of 2025-08-25', async () => {
  const name = 'known_exploited_vulnerabilities.json';
  const { entries, bad } = await readKev({ path: dataFile(`kev/${name}`), name });
  expect([entries.length, bad.length]).toEqual([1404, 0]);
  expect(entries.find(({ cve }) => cve === 'CVE-2021-44228')).toMatchObject({
    dateAdded: '2021-12-10',
    ransomware: true,
  });
});
