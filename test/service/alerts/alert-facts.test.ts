import { describe, expect, test } from 'vitest';
import { alertFacts, type Exploitation } from '../../../src/service/alerts/alert-facts.js';
import { findMatches, type PackageAdvisory } from '../../../src/service/alerts/find-matches.js';
import { advisory } from './advisories.js';

const nothing: Exploitation = { epss: new Map(), kev: new Map() };

function exploitation(
  scores: Record<string, number>,
  listed: Record<string, [added: string, ransomware: boolean]>,
): Exploitation {
  return {
    epss: new Map(
      Object.entries(scores).map(([cve, probability]) => [
        cve,
        { cve, probability, percentile: probability / 2, scored_on: '2025-08-15', model: 'v4' },
      ]),
    ),
    kev: new Map(
      Object.entries(listed).map(([cve, [date_added, ransomware]]) => [
        cve,
        { cve, date_added, due_date: `due after ${date_added}`, ransomware },
      ]),
    ),
  };
}

function factsOf(advisories: PackageAdvisory[], known = nothing) {
  const [match] = findMatches({ ecosystem: 'npm', package_name: 'a', name: 'a', versions: ['1.0.0'], advisories });
  if (match === undefined) throw new Error('nothing matches');
  return alertFacts(match, known);
}

const cvss = { cvss_version: '3.1', cvss_score: 7.5, cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' };

describe('the facts of an alert', () => {
  test('come from GHSA’s record before others, and from others where it is silent', () => {
    const facts = factsOf([
      advisory('GHSA-9', '0', '2.0.0', { cves: ['CVE-2021-1'], severity: 'low' }),
      advisory('AAA-1', '0', '2.0.0', { cves: ['CVE-2021-1'], severity: 'high', ...cvss }),
    ]);
    expect(facts).toMatchObject({
      vulnerability_id: 'CVE-2021-1',
      advisory_ids: ['AAA-1', 'GHSA-9'],
      title: 'summary of GHSA-9',
      severity: 'low',
      ...cvss,
      tier: 'YELLOW',
    });
  });

  test('of several CVEs: the highest EPSS with its own percentile, KEV if any is listed', () => {
    const cves = ['CVE-2021-1', 'CVE-2021-2', 'CVE-2021-3'];
    const known = exploitation(
      { 'CVE-2021-1': 0.1, 'CVE-2021-2': 0.4, 'CVE-2021-3': 0.2 },
      { 'CVE-2021-2': ['2022-02-02', true], 'CVE-2021-3': ['2021-01-01', false] },
    );
    expect(factsOf([advisory('GHSA-1', '0', '2.0.0', { cves })], known)).toMatchObject({
      vulnerability_id: 'CVE-2021-1',
      cves,
      epss: 0.4,
      epss_percentile: 0.2,
      epss_date: '2025-08-15',
      kev_added: '2021-01-01',
      kev_due: 'due after 2021-01-01',
      kev_ransomware: true,
      tier: 'RED',
    });
  });

  test('say nothing of what is unknown', () => {
    expect(factsOf([advisory('GHSA-1', '0', '2.0.0', { summary: '' })])).toMatchObject({
      title: 'GHSA-1',
      cves: [],
      severity: null,
      cvss_score: null,
      epss: null,
      epss_date: null,
      kev_added: null,
      kev_ransomware: null,
      malicious: false,
      tier: 'YELLOW',
    });
  });

  test('are RED for malware', () => {
    expect(factsOf([advisory('MAL-1', '0', '2.0.0', { malicious: true })])).toMatchObject({
      malicious: true,
      tier: 'RED',
    });
  });
});
