import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { grypeMatch, grypeReport } from '../scanners/grype/grype-report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { moderate, network, newScannedProject, realReport } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const v2 = 'AV:N/AC:L/Au:N/C:C/I:C/A:C'; // 10.0
const image = 'acme/shop:1';

async function rated(report: unknown, ref?: string) {
  const { scan, items } = await newScannedProject(service);
  await scan(report, ref);
  const rows = await items('/findings');
  return Object.fromEntries(
    rows.map((row) => [at(row, 'package.name'), [row['severity'], row['tier'], row['vendor_severity']]]),
  );
}

test('Trivy’s severity decides by its source: a distribution’s word, a database’s score, NVD’s score', async () => {
  const trivy = (name: string, Severity: string, SeveritySource: string | undefined, CVSS: object, more = {}) =>
    vulnerability('CVE-1990-1005', name, { Severity, SeveritySource, CVSS, ...more });
  const nvd = { nvd: { V3Vector: network, V2Vector: v2 } };
  const answer = await rated(
    trivyReport(
      image,
      [
        trivy('debian', 'LOW', 'debian', nvd),
        trivy('redhat', 'LOW', 'redhat', { redhat: { V3Vector: moderate }, ...nvd }),
        trivy('nvd', 'LOW', 'nvd', nvd),
        trivy('nvd-v2', 'HIGH', 'nvd', { nvd: { V2Vector: v2 } }),
        trivy('unnamed-v2', 'LOW', undefined, { nvd: { V2Vector: v2 } }),
        trivy('unknown', 'UNKNOWN', undefined, {}),
        trivy('by-number', 'UNKNOWN', undefined, nvd, {
          DataSource: { ID: 'debian' },
          VendorSeverity: { debian: 1, nvd: 4 },
        }),
      ],
      [
        trivy('ghsa-own', 'HIGH', 'ghsa', { ghsa: { V3Vector: moderate }, ...nvd }),
        trivy('ghsa-word', 'HIGH', 'ghsa', nvd),
        trivy('ghsa-v2', 'MEDIUM', 'ghsa', { ghsa: { V2Vector: v2 } }),
      ],
    ),
  );
  const said = (severity: string, source: string | null) => ({ severity, source });
  expect(answer).toEqual({
    debian: ['low', 'GREEN', said('low', 'debian')],
    redhat: ['low', 'GREEN', said('low', 'redhat')],
    nvd: ['critical', 'RED', said('low', 'nvd')],
    'nvd-v2': ['critical', 'RED', said('high', 'nvd')],
    'unnamed-v2': ['low', 'GREEN', said('low', null)],
    unknown: ['medium', 'YELLOW', null],
    'by-number': ['low', 'GREEN', said('low', 'debian')],
    'ghsa-own': ['medium', 'YELLOW', said('high', 'ghsa')],
    'ghsa-word': ['high', 'YELLOW', said('high', 'ghsa')],
    'ghsa-v2': ['medium', 'YELLOW', said('medium', 'ghsa')],
  });
});

test('Grype’s severity decides by its namespace, and negligible stays a word of its own', async () => {
  const grype = (name: string, severity: string, namespace: string | undefined, type = 'deb') =>
    grypeMatch('CVE-1990-1005', { name, type }, { severity, namespace, cvss: [{ vector: network }] });
  const answer = await rated(
    grypeReport(image, [
      grype('debian', 'Negligible', 'debian:distro:debian:12'),
      grype('unnamed', 'Negligible', undefined),
      grype('old', 'Low', 'rhel:8', 'rpm'),
      grype('nvd', 'Low', 'nvd:cpe'),
      grype('github', 'Low', 'github:language:python', 'python'),
      grype('unknown', 'Unknown', 'debian:distro:debian:12'),
    ]),
  );
  expect(answer).toEqual({
    debian: ['low', 'GREEN', { severity: 'negligible', source: 'debian' }],
    unnamed: ['low', 'GREEN', { severity: 'negligible', source: 'debian' }],
    old: ['low', 'GREEN', { severity: 'low', source: 'redhat' }],
    nvd: ['critical', 'RED', { severity: 'low', source: 'nvd' }],
    github: ['critical', 'RED', { severity: 'low', source: 'ghsa' }],
    unknown: ['critical', 'RED', null],
  });
});

test('what KEV lists is RED whatever the distribution says, also when it is listed later', async () => {
  const mark = Math.floor(Math.random() * 1e12);
  const [before, later] = [`CVE-1990-1${mark}`, `CVE-1990-2${mark}`];
  const list = (cve: string) =>
    service.database.system((tx) =>
      tx.insertInto('kev').values({ cve, date_added: '2025-01-02', due_date: null, ransomware: false }).execute(),
    );
  await list(before);
  const { scan, items, key, path } = await newScannedProject(service);
  const low = { Severity: 'LOW', SeveritySource: 'debian', CVSS: { nvd: { V3Vector: network } } };
  const id = await scan(trivyReport(image, [vulnerability(before, 'a', low), vulnerability(later, 'b', low)]));
  const tiers = async () =>
    (await items('/findings')).map((row) => [at(row, 'package.name'), row['tier'], row['severity']]);
  expect(await tiers()).toEqual([
    ['a', 'RED', 'low'],
    ['b', 'GREEN', 'low'],
  ]);
  await list(later);
  await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
  expect(await tiers()).toEqual([
    ['a', 'RED', 'low'],
    ['b', 'RED', 'low'],
  ]);
});

describe.skipIf(!hasData)('of real reports', () => {
  test.each([
    ['grype/many_vulns.json', 681],
    ['grype/many_vulns2.json', 688],
  ])('%s: what Debian calls negligible is GREEN', async (file, negligible) => {
    const { scan, items } = await newScannedProject(service);
    await scan(realReport(file));
    const rows = await items('/findings');
    const those = rows.filter(
      (row) => row['vendor_severity'] !== null && at(row, 'vendor_severity.severity') === 'negligible',
    );
    expect(those).toHaveLength(negligible);
    expect(new Set(those.map(({ tier, severity }) => `${tier} ${severity}`))).toEqual(new Set(['GREEN low']));
  });

  test('trivy/dd-issue_9333.json: what Debian calls low is low', async () => {
    const { scan, items } = await newScannedProject(service);
    await scan(realReport('trivy/dd-issue_9333.json'), 'noppaknopsta/example-app:main-159');
    const rows = await items('/findings');
    const ofDebian = rows.filter((row) => at(row, 'vendor_severity.source') === 'debian');
    expect(ofDebian).toHaveLength(12);
    expect(new Set(ofDebian.map(({ tier, severity }) => `${tier} ${severity}`))).toEqual(new Set(['GREEN low']));
  });
});
