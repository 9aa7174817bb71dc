import { describe, expect, test } from 'vitest';
import { type Advisory, toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { isVersion } from '../../../src/service/matching/versions/index.js';
import { hasData } from '../../support/data.js';
import { readRecords, recordFiles } from './records.js';

const minimal = { id: 'GHSA-aaaa-bbbb-cccc', modified: '2025-01-02T03:04:05.123456789Z' };

function read(record: Record<string, unknown>): Advisory {
  return toAdvisory(osvRecordSchema.parse({ ...minimal, ...record }));
}

function entry(ecosystem: string, name: string, rest: Record<string, unknown> = {}) {
  return { package: { ecosystem, name }, ...rest };
}

describe('toAdvisory', () => {
  test('says null or nothing of what a record does not hold', () => {
    expect(read({})).toEqual({
      id: 'GHSA-aaaa-bbbb-cccc',
      modified: new Date('2025-01-02T03:04:05.123Z'),
      published: null,
      withdrawn: null,
      summary: '',
      cves: [],
      cwes: [],
      aliases: [],
      severity: null,
      cvss: null,
      malicious: false,
      informational: null,
      details: null,
      references: [],
      referenceKinds: [],
      packages: [],
    });
  });

  test('takes null for what is missing, and leaves out what it does not know', () => {
    const advisory = read({
      aliases: null,
      affected: null,
      references: null,
      withdrawn: null,
      credits: 3,
      schema_version: '9',
    });
    expect(advisory.packages).toEqual([]);
  });

  test.each([{ id: '' }, { modified: 'yesterday' }, { modified: null }, { affected: 'all' }])(
    'refuses %j',
    (record) => {
      expect(osvRecordSchema.safeParse({ ...minimal, ...record }).success).toBe(false);
    },
  );

  test('does not refuse a record for the database_specific of a database it does not know', () => {
    const advisory = read({
      database_specific: { severity: { level: 3 }, cwe_ids: 'CWE-79' },
      affected: [entry('npm', 'a', { database_specific: { categories: 'x' }, ecosystem_specific: { imports: 7 } })],
    });
    expect(advisory).toMatchObject({ severity: null, packages: [{ name: 'a', symbols: [] }] });
  });

  test('finds CVE ids in the id, aliases and upstream, sorted, once', () => {
    const advisory = read({
      aliases: ['CVE-2024-2000', 'PYSEC-2024-1', 'CVE-2023-10000', 'CVE-24-1'],
      upstream: ['CVE-2024-2000', 'CVE-2022-0001'],
      related: ['CVE-2020-0001'],
    });
    expect(advisory.cves).toEqual(['CVE-2022-0001', 'CVE-2023-10000', 'CVE-2024-2000']);
    expect(read({ id: 'CVE-2024-0001' }).cves).toEqual(['CVE-2024-0001']);
  });

  test('takes the label of the database, else the band of the score', () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }];
    expect(read({ severity, database_specific: { severity: 'HIGH' } })).toMatchObject({
      severity: 'high',
      cvss: { score: 9.8 },
    });
    expect(read({ severity }).severity).toBe('critical');
    expect(read({ database_specific: { severity: 'MEDIUM' } })).toMatchObject({ severity: 'moderate', cvss: null });
    expect(read({ affected: [entry('npm', 'a', { severity })] }).cvss?.score).toBe(9.8);
  });

  test.each([
    [{ id: 'MAL-2024-1' }],
    [{ aliases: ['MAL-2024-1'] }],
    [{ database_specific: { 'malicious-packages-origins': [] } }],
    [{ database_specific: { cwe_ids: ['CWE-506'] } }],
    [{ affected: [entry('crates.io', 'a', { database_specific: { categories: ['malicious'] } })] }],
  ])('knows malware by %j', (record) => {
    expect(read(record).malicious).toBe(true);
  });

  test('does not take a malicious input for malware', () => {
    expect(read({ summary: 'DoS by a malicious file', database_specific: { cwe_ids: ['CWE-400'] } }).malicious).toBe(
      false,
    );
  });

  test('keeps at most 20 web addresses, each once', () => {
    const urls = ['javascript:alert(1)', 'ftp://a.example', 'https://', 'https://a.example/0', 'http://a.example/0'];
    const many = Array.from({ length: 30 }, (_, i) => `https://a.example/${i}`);
    const { references } = read({ references: [...urls, ...many].map((url) => ({ type: 'WEB', url })) });
    expect(references).toHaveLength(20);
    expect(references.slice(0, 3)).toEqual(['https://a.example/0', 'http://a.example/0', 'https://a.example/1']);
  });

  test('keeps what each reference is, as OSV says it, and how its own words begin', () => {
    const types = ['ADVISORY', 'FIX', 'fix', 'PACKAGE', 'OTHER', null, undefined];
    const { referenceKinds } = read({
      references: types.map((type, nth) => ({ type, url: `https://a.example/${nth}` })),
    });
    expect(referenceKinds).toEqual(['advisory', 'fix', 'fix', 'package', 'web', 'web', 'web']);
    const twice = ['FIX', 'WEB'].map((type) => ({ type, url: 'https://a.example/' }));
    expect(read({ references: twice })).toMatchObject({ references: ['https://a.example/'], referenceKinds: ['fix'] });
    expect(read({ details: ' \n## Impact\nIt is bad.\n' }).details).toBe('## Impact\nIt is bad.');
    expect(read({ details: ' \n' }).details).toBe(null);
    const long = read({ details: 'x'.repeat(200_000) }).details;
    expect([long?.length, long?.endsWith('…')]).toEqual([1_500, true]);
  });

  test('names a record without a summary by how its details begin', () => {
    expect(read({ details: '\n## Overview of it\nmore' }).summary).toBe('Overview of it');
  });

  test('leaves out ecosystems it does not order and registries that are not the ecosystem’s own', () => {
    const names = ['npm', 'Debian:12', 'PyPI:extra', 'Packagist:https://packages.drupal.org/8', 'Packagist', 'Hex'];
    const { packages } = read({ affected: [...names.map((name) => entry(name, 'A/b')), {}] });
    expect(packages.map(({ ecosystem, name }) => [ecosystem, name])).toEqual([
      ['npm', 'A/b'],
      ['PyPI', 'a/b'],
      ['Packagist', 'a/b'],
    ]);
  });

  test('puts entries of one package together and drops GIT ranges', () => {
    const range = (type: string, ...events: object[]) => ({ ranges: [{ type, events }] });
    const { packages } = read({
      affected: [
        entry('PyPI', 'Some_Thing', {
          ...range('ECOSYSTEM', { introduced: '0' }, { fixed: '1.0' }),
          versions: ['0.1', '0.2'],
        }),
        entry('PyPI', 'some-thing', {
          ...range('GIT', { introduced: '0' }, { fixed: 'deadbeef' }),
          versions: ['0.2', '0.3'],
        }),
        entry('PyPI', 'some.thing', range('ECOSYSTEM', { introduced: '2.0', fixed: '2.1' })),
      ],
    });
    expect(packages).toEqual([
      {
        ecosystem: 'PyPI',
        name: 'some-thing',
        affected: {
          ranges: [
            { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0' }] },
            { type: 'ECOSYSTEM', events: [{ introduced: '2.0' }, { fixed: '2.1' }] },
          ],
          versions: ['0.1', '0.2', '0.3'],
        },
        symbols: [],
      },
    ]);
  });

  test('closes the open range of the entry whose last known version it knows, and of no other', () => {
    const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }];
    const { packages } = read({
      affected: [
        entry('npm', 'a', { ranges, database_specific: { last_known_affected_version_range: '<= 1.2.3' } }),
        entry('npm', 'b', { ranges }),
      ],
    });
    expect(packages.map(({ affected }) => affected.ranges[0]?.events)).toEqual([
      [{ introduced: '0' }, { last_affected: '1.2.3' }],
      [{ introduced: '0' }],
    ]);
  });

  test('names symbols of Go, RustSec and GHSA, at most 500', () => {
    const symbolsOf = (specific: object) =>
      read({ affected: [entry('Go', 'm', { ecosystem_specific: specific })] }).packages[0]?.symbols;
    const path = 'example.org/m/x';
    expect(symbolsOf({ imports: [{ path, symbols: ['Do', 'T.Run'] }, { path }] })).toEqual([
      `${path}.Do`,
      `${path}.T.Run`,
    ]);
    expect(symbolsOf({ affects: { functions: ['a::b', 'a::b'] }, affected_functions: null })).toEqual(['a::b']);
    expect(symbolsOf({ affected_functions: ['django.utils.text.Truncator', 'https://example.org/fix'] })).toEqual([
      'django.utils.text.Truncator',
    ]);
    // The module in parentheses is the affected package, whichever name the record gives it.
    const functions = { affected_functions: ['(lodash).merge', '(lodash-es)', '(lodash).$&'] };
    const npm = ['ecosystem_specific', 'database_specific'].map((key) =>
      entry('npm', 'lodash-es', { [key]: functions }),
    );
    for (const affected of npm) {
      expect(read({ affected: [affected] }).packages[0]?.symbols).toEqual([
        'lodash-es.merge',
        'lodash-es',
        'lodash-es.$&',
      ]);
    }
    const symbols = Array.from({ length: 600 }, (_, i) => `s${i}`);
    expect(symbolsOf({ imports: [{ path, symbols }] })).toHaveLength(500);
  });
});

describe.skipIf(!hasData)('on real records', () => {
  /** Bounds in GHSA's PyPI records that are a distribution's versions; isAffected takes them for the release before. */
  const distributionBounds = /(?:ubuntu\d|p3$|-stable$|-\d+\.\d$)/;

  test.each(recordFiles)('reads every record of %s, and every bound is a version of its ecosystem', (file) => {
    const advisories = readRecords(file).map((record) => toAdvisory(osvRecordSchema.parse(record)));
    expect(advisories.filter(({ packages }) => packages.length === 0)).toEqual([]);
    const unread = advisories.flatMap(({ id, packages }) =>
      packages.flatMap(({ ecosystem, affected }) => {
        const bounds = affected.ranges.flatMap(({ events }) => events.flatMap((event) => Object.values<string>(event)));
        return bounds.filter((bound) => bound !== '0' && !isVersion(ecosystem, bound)).map((bound) => `${id} ${bound}`);
      }),
    );
    expect(unread.filter((each) => !distributionBounds.test(each))).toEqual([]);
    expect(unread).toHaveLength(file === 'ghsa-pypi' ? 15 : 0);
  });

  test('finds the facts that the databases hold', () => {
    const all = (file: (typeof recordFiles)[number]) =>
      readRecords(file).map((each) => toAdvisory(osvRecordSchema.parse(each)));
    const npm = all('ghsa-npm');
    expect(npm.filter(({ malicious }) => malicious)).toHaveLength(378);
    expect(npm.filter(({ cves }) => cves.length === 0)).toHaveLength(907);
    expect(npm.filter(({ severity }) => severity === null)).toHaveLength(0);
    const rust = all('rustsec');
    expect(rust.filter(({ informational }) => informational === 'unmaintained')).toHaveLength(267);
    expect(rust.filter(({ withdrawn }) => withdrawn !== null)).toHaveLength(13);
    expect(rust.filter(({ packages }) => packages.some(({ symbols }) => symbols.length > 0))).toHaveLength(257);
    const go = all('go-vulndb');
    expect(go.filter(({ packages }) => packages.some(({ symbols }) => symbols.length > 0))).toHaveLength(879);
  });
});
