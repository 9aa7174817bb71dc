import { describe, expect, test } from 'vitest';
import { findMatches, type PackageAdvisory, vulnerabilityIds } from '../../../src/service/alerts/find-matches.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { advisory } from './advisories.js';

function match(versions: string[], advisories: PackageAdvisory[], ecosystem: Ecosystem = 'npm') {
  return findMatches({ ecosystem, package_name: 'a', name: 'a', versions, advisories });
}

describe('matches of a package', () => {
  test('are keyed by CVE, the lowest of several, or by the advisory’s own id', () => {
    const ids = vulnerabilityIds([
      advisory('GHSA-1', '0', '1.0.0', { cves: ['CVE-2021-2', 'CVE-2021-1'] }),
      advisory('GHSA-2', '0', '1.0.0'),
    ]);
    expect([...ids]).toEqual(
      expect.arrayContaining([
        ['GHSA-1', 'CVE-2021-1'],
        ['GHSA-2', 'GHSA-2'],
      ]),
    );
  });

  test('of one alias group keep apart what one database describes in two records', () => {
    const group = { cves: ['CVE-2021-23337', 'CVE-2026-4800'] };
    const matches = match(
      ['4.17.11', '4.17.21'],
      [
        advisory('GHSA-r5fr', '0', '4.18.0', { ...group, published: new Date('2026-04-01') }),
        advisory('GHSA-35jh', '0', '4.17.21', { ...group, published: new Date('2021-05-06') }),
        advisory('PYSEC-1', '0', '4.17.21', { ...group, published: new Date('2022-01-01') }),
      ],
    );
    const found = matches.map((each) => [each.vulnerability_id, each.versions, each.advisories.map(({ id }) => id)]);
    expect(found).toEqual([
      ['CVE-2021-23337', ['4.17.11'], ['GHSA-35jh', 'PYSEC-1']],
      ['CVE-2026-4800', ['4.17.11', '4.17.21'], ['GHSA-r5fr']],
    ]);
  });

  test('of a group keep the CVE that another record of the database has alone', () => {
    const ids = vulnerabilityIds([
      advisory('GHSA-2', '0', '1.0.0', { cves: ['CVE-2021-1', 'CVE-2021-2'], published: new Date('2020-01-01') }),
      advisory('GHSA-1', '0', '1.0.0', { cves: ['CVE-2021-1'], published: new Date('2021-01-01') }),
    ]);
    expect(Object.fromEntries(ids)).toEqual({ 'GHSA-2': 'CVE-2021-2', 'GHSA-1': 'CVE-2021-1' });
  });

  test('are none where no version is affected', () => {
    expect(match(['2.0.0'], [advisory('GHSA-1', '0', '2.0.0')])).toEqual([]);
  });

  test('of two records with one CVE are one: versions united, GHSA’s record first', () => {
    const matches = match(
      ['1.0.0', '2.5.0', '4.0.0'],
      [
        advisory('GO-1', '2.0.0', '3.0.0', { cves: ['CVE-2021-1'] }),
        advisory('GHSA-2', '0', '1.5.0', { cves: ['CVE-2021-1'] }),
      ],
    );
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({
      vulnerability_id: 'CVE-2021-1',
      versions: ['1.0.0', '2.5.0'],
      safe_version: '3.0.0',
    });
    expect(matches[0]?.advisories.map(({ id }) => id)).toEqual(['GHSA-2', 'GO-1']);
  });

  test('leave out a record of the same CVE whose own ranges do not hold the version', () => {
    const [only] = match(
      ['1.0.0'],
      [
        advisory('GHSA-1', '2.0.0', '3.0.0', { cves: ['CVE-2021-1'] }),
        advisory('GHSA-2', '0', '1.5.0', { cves: ['CVE-2021-1'] }),
      ],
    );
    expect(only?.advisories.map(({ id }) => id)).toEqual(['GHSA-2']);
  });

  test('order versions as the ecosystem does, not as text', () => {
    const [only] = match(['10.0.0', '9.0.0', '1.0.0'], [advisory('GHSA-1', '0', '11.0.0')]);
    expect(only?.versions).toEqual(['1.0.0', '9.0.0', '10.0.0']);
  });

  test('offer a version above the highest affected one that no advisory of the package affects', () => {
    const matches = match(
      ['1.0.0', '1.4.0'],
      [advisory('GHSA-1', '0', '1.2.0'), advisory('GHSA-2', '1.3.0', '1.5.0'), advisory('GHSA-3', '1.5.0', '1.6.0')],
    );
    expect(matches.map(({ vulnerability_id, safe_version }) => [vulnerability_id, safe_version])).toEqual([
      ['GHSA-1', '1.2.0'],
      ['GHSA-2', '1.6.0'],
    ]);
  });

  test('do not depend on the order of what is known', () => {
    const advisories = [
      advisory('PYSEC-1', '0', '2.0', { cves: ['CVE-2021-1'] }),
      advisory('GHSA-1', '0', '2.1', { cves: ['CVE-2021-1'] }),
      advisory('GHSA-2', '0', '3.0'),
    ];
    const straight = match(['1.0', '1.5'], advisories, 'PyPI');
    expect(match(['1.5', '1.0'], advisories.toReversed(), 'PyPI')).toEqual(straight);
    expect(straight).toHaveLength(2);
  });
});
