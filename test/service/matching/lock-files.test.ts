import { describe, expect, test } from 'vitest';
import { type Advisory, toAdvisory } from '../../../src/service/matching/advisory.js';
import { isAffected } from '../../../src/service/matching/affected.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { hasData } from '../../support/data.js';
import { type LockedPackage, readComposerLock, readPackageLock, readPnpmLock, readYarnLock } from './lock-packages.js';
import { naivePairs } from './naive-matcher.js';
import { readRecords } from './records.js';

interface Match {
  advisory: Advisory;
  name: string;
  version: string;
}

function toAdvisories(records: readonly unknown[]): Advisory[] {
  return records
    .map((record) => toAdvisory(osvRecordSchema.parse(record)))
    .filter(({ withdrawn }) => withdrawn === null);
}

function match(ecosystem: Ecosystem, packages: readonly LockedPackage[], advisories: readonly Advisory[]): Match[] {
  const versions = new Map<string, Set<string>>();
  for (const { name, version } of packages) versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return advisories.flatMap((advisory) =>
    advisory.packages.flatMap(({ ecosystem: of, name, affected }) => {
      const installed = of === ecosystem ? [...(versions.get(name) ?? [])] : [];
      const hit = installed.filter((version) => isAffected(ecosystem, version, affected));
      return hit.map((version) => ({ advisory, name, version }));
    }),
  );
}

function pairs(matches: readonly Match[], keysOf: (advisory: Advisory) => readonly string[]): Set<string> {
  return new Set(matches.flatMap(({ advisory, name }) => keysOf(advisory).map((key) => `${key} ${name}`)));
}

/** The key of a verdict: one pair an advisory, whatever the number of its CVEs. */
const verdictKey = ({ id, cves }: Advisory) => [cves[0] ?? id];
const everyCve = ({ id, cves }: Advisory) => (cves.length > 0 ? cves : [id]);
const ownId = ({ id }: Advisory) => [id];

describe.skipIf(!hasData)('real lock files against the npm advisories', () => {
  const locks: [string, () => LockedPackage[], { packages: number; pairs: number; withVersions: number }][] = [
    [
      'NodeGoat',
      () => readPackageLock('lockfiles/nodegoat/package-lock.json'),
      { packages: 1479, pairs: 131, withVersions: 192 },
    ],
    [
      'Juice Shop',
      () => readPackageLock('lockfiles/juice-shop/package-lock.generated-2026-11-21.json'),
      { packages: 1350, pairs: 36, withVersions: 41 },
    ],
    [
      'an old lock of version 1',
      () => readPackageLock('lockfiles/juice-shop/ftp-package-lock.json.bak'),
      { packages: 1967, pairs: 139, withVersions: 201 },
    ],
    ['trpc', () => readPnpmLock('lockfiles/trpc/pnpm-lock.yaml'), { packages: 3845, pairs: 17, withVersions: 19 }],
    ['DefectDojo', () => readYarnLock('lockfiles/defectdojo-yarn.lock'), { packages: 167, pairs: 1, withVersions: 1 }],
  ];
  const records = hasData ? readRecords('ghsa-npm') : [];
  const advisories = toAdvisories(records);

  test.each(locks)('%s: as many pairs as a matcher written apart finds, and the same ones', (_name, read, expected) => {
    const packages = read();
    expect(packages).toHaveLength(expected.packages);
    const matches = match('npm', packages, advisories);
    const found = pairs(matches, verdictKey);
    expect([...found].sort()).toEqual([...naivePairs('npm', packages, records)].sort());
    expect(found.size).toBe(expected.pairs);
    expect(matches).toHaveLength(expected.withVersions);
  });

  test('NodeGoat has 131 pairs, counted by advisory, by verdict key or by CVE: no npm record here has two CVEs', () => {
    expect(advisories.filter(({ cves }) => cves.length > 1)).toEqual([]);
    const matches = match('npm', readPackageLock('lockfiles/nodegoat/package-lock.json'), advisories);
    expect([verdictKey, everyCve, ownId].map((keysOf) => pairs(matches, keysOf).size)).toEqual([131, 131, 131]);
    expect(
      new Set(matches.filter(({ advisory }) => advisory.cves.length === 0).map(({ advisory }) => advisory.id)).size,
    ).toBe(17);
  });
});

describe.skipIf(!hasData)('a composer.lock', () => {
  const packages = hasData ? readComposerLock('lockfiles/osv-scanner-composer.lock') : [];

  const record = (name: string, ...events: object[]) => ({
    id: `TEST-${name}`,
    modified: '2025-01-01T00:00:00Z',
    affected: [{ package: { ecosystem: 'Packagist', name }, ranges: [{ type: 'ECOSYSTEM', events }] }],
  });

  test('finds nothing among advisories of other ecosystems', () => {
    expect(packages).toHaveLength(6);
    expect(match('Packagist', packages, toAdvisories(readRecords('ghsa-npm')))).toEqual([]);
  });

  test('agrees with the other matcher on records of its packages', () => {
    const records = [
      record(
        'drupal/core',
        { introduced: '8.0.0' },
        { fixed: '10.3.13' },
        { introduced: '10.4.0' },
        { fixed: '10.4.6' },
      ),
      record('drupal/tfa', { introduced: '2.0.0-alpha1' }, { fixed: '2.0.0-beta1' }),
      record('drupal/simple_sitemap', { introduced: '0' }, { fixed: '4.2.1' }),
      record('league/flysystem', { introduced: '0' }, { last_affected: '1.0.8' }),
      record('theseer/tokenizer', { introduced: '1.1.4-RC1' }),
      record('sentry/sdk', { introduced: '2.0.4-p1' }),
    ];
    const found = pairs(match('Packagist', packages, toAdvisories(records)), verdictKey);
    expect([...found].sort()).toEqual([
      'TEST-drupal/core drupal/core',
      'TEST-drupal/tfa drupal/tfa',
      'TEST-league/flysystem league/flysystem',
    ]);
    expect(found).toEqual(naivePairs('Packagist', packages, records));
  });
});
