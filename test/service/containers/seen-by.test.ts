import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { grypeMatch, grypeReport } from '../scanners/grype/grype-report.js';
import { diffIds, layersOf, listingPackages, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { network, newScannedProject, realReport } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Project = Awaited<ReturnType<typeof newScannedProject>>;

const none = { total: 0, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
const image = 'acme/shop:1';
const [zlib, libc] = [vulnerability('CVE-1990-1001', 'zlib1g'), vulnerability('CVE-1990-1002', 'libc6')];
const grypeZlib = grypeMatch('CVE-1990-1001', { name: 'zlib1g', purl: 'pkg:deb/debian/zlib1g@1.0.0' });

async function countsOf({ upload }: Project, report: unknown, ref?: string) {
  const { status, body } = await upload(report, ref);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return at(body, 'findings');
}

async function seen({ items }: Project): Promise<string[]> {
  const rows = await items('/findings?state=all');
  const toolsOf = (list: unknown) => (Array.isArray(list) ? list.map((each) => at(each, 'tool')).join('+') : '');
  return rows.map((row) => `${row['vulnerability_id']} ${row['state']} ${toolsOf(row['seen_by'])}`).sort();
}

describe('a finding of an image', () => {
  test('that two scanners see is one, and fixed when neither sees it any more', async () => {
    const project = await newScannedProject(service);
    expect(await countsOf(project, trivyReport(image, [zlib, libc]))).toEqual({ ...none, total: 2, new: 2 });
    expect(await countsOf(project, grypeReport(image, [grypeZlib]))).toEqual({ ...none, total: 1, unchanged: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1001 open grype+trivy', 'CVE-1990-1002 open trivy']);
    expect(await countsOf(project, listingPackages(trivyReport(image, [])))).toEqual({ ...none, fixed: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1001 open grype', 'CVE-1990-1002 fixed trivy']);
    expect(await countsOf(project, grypeReport(image, []))).toEqual({ ...none, fixed: 1 });
    expect(await countsOf(project, trivyReport(image, [zlib]))).toEqual({ ...none, total: 1, reopened: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1001 open trivy', 'CVE-1990-1002 fixed trivy']);
  });

  test('is one under a GHSA id and its CVE, with the longer name of a Maven package', async () => {
    const project = await newScannedProject(service);
    const log4j = (id: string) =>
      grypeMatch(id, {
        name: 'log4j-core',
        type: 'java-archive',
        purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
        locations: [{ path: '/app/lib/log4j-core-2.14.1.jar' }],
        version: '2.14.1',
      });
    const ghsa = { ...log4j('GHSA-jfh8-c2jp-5v3q'), relatedVulnerabilities: [{ id: 'CVE-2021-44228' }] };
    const cve = vulnerability('CVE-2021-44228', 'org.apache.logging.log4j:log4j-core', {
      PkgPath: 'app/lib/log4j-core-2.14.1.jar',
      InstalledVersion: '2.14.1',
      FixedVersion: '2.15.0',
    });
    const jars = (list: readonly Record<string, unknown>[]) => {
      const { Results, ...report } = listingPackages(trivyReport(image, []));
      const packages = list.map((each) => ({ Name: each['PkgName'], Version: each['InstalledVersion'] }));
      const jar = { Target: 'Java', Class: 'lang-pkgs', Type: 'jar', Packages: packages, Vulnerabilities: list };
      return { ...report, Results: [...Results, jar] };
    };
    for (const reports of [
      [grypeReport(image, [ghsa]), jars([cve])],
      [jars([cve]), grypeReport(image, [ghsa])],
    ]) {
      const own = await newScannedProject(service);
      expect(await countsOf(own, reports[0])).toMatchObject({ new: 1 });
      expect(await countsOf(own, reports[1])).toEqual({ ...none, total: 1, unchanged: 1 });
      expect(await own.items('/findings')).toMatchObject([
        {
          vulnerability_id: 'CVE-2021-44228',
          package: { name: 'org.apache.logging.log4j:log4j-core' },
          fixed_version: '2.15.0',
        },
      ]);
      // One scanner's later silence leaves what the other says.
      await own.upload(jars([]));
      expect(await seen(own)).toEqual(['GHSA-jfh8-c2jp-5v3q open grype']);
    }
    // An id with several CVEs is none of them alone.
    const two = [{ id: 'CVE-2021-44228' }, { id: 'CVE-2021-45046' }];
    await project.upload(jars([cve]));
    expect(
      await countsOf(project, grypeReport(image, [{ ...log4j('GHSA-jfh8-c2jp-5v3q'), relatedVulnerabilities: two }])),
    ).toMatchObject({ new: 1 });
  });

  test('that was kept under its GHSA id is one with its CVE when the two become known as one', async () => {
    const project = await newScannedProject(service);
    const ghsa = grypeMatch('GHSA-aaaa-bbbb-cccc', {
      name: 'qs',
      type: 'npm',
      locations: [{ path: '/a/package.json' }],
    });
    const qs = vulnerability('CVE-1990-1009', 'qs', { PkgPath: 'a/package.json' });
    await project.upload(grypeReport(image, [ghsa]));
    await project.upload(trivyReport(image, [], [qs]));
    expect(await seen(project)).toEqual(['CVE-1990-1009 open trivy', 'GHSA-aaaa-bbbb-cccc open grype']);
    const related = { ...ghsa, relatedVulnerabilities: [{ id: 'CVE-1990-1009' }] };
    expect(await countsOf(project, grypeReport(image, [related]))).toEqual({ ...none, total: 1, unchanged: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1009 open grype+trivy']);
    expect(await project.items('/images')).toMatchObject([{ tiers: { red: 0, yellow: 1, green: 0 } }]);
  });

  test('has the same facts whichever scanner reported last', async () => {
    const trivy = trivyReport(image, [
      {
        ...zlib,
        Severity: 'LOW',
        SeveritySource: 'debian',
        FixedVersion: '1.2',
        Title: 'short',
        CVSS: { nvd: { V3Vector: network } },
      },
    ]);
    const grype = grypeReport(image, [
      {
        ...grypeZlib,
        vulnerability: {
          ...{ id: 'CVE-1990-1001', severity: 'Critical', namespace: 'nvd:cpe', description: 'a long description' },
          ...{ cvss: [{ vector: network }], fix: { versions: ['1.3'] } },
        },
      },
    ]);
    const facts: unknown[] = [];
    for (const order of [
      [trivy, grype],
      [grype, trivy],
      [trivy, grype, trivy, grype],
    ]) {
      const project = await newScannedProject(service);
      for (const report of order) await project.scan(report);
      const [row] = await project.items('/findings');
      facts.push([row?.['title'], row?.['severity'], row?.['tier'], row?.['vendor_severity'], row?.['fixed_version']]);
    }
    const expected = ['short', 'low', 'GREEN', { severity: 'low', source: 'debian' }, '1.2, 1.3'];
    expect(facts).toEqual([expected, expected, expected]);
  });

  test('keeps the layers that one scanner names when the other names none', async () => {
    const project = await newScannedProject(service);
    const [base, own] = diffIds('first', 'second');
    const layered = { ...layersOf('first', 'second') };
    await project.scan(trivyReport('acme/base:1', [], [], layersOf('first')));
    await project.scan(
      trivyReport(
        image,
        [
          { ...zlib, Layer: { DiffID: base } },
          { ...libc, Layer: { DiffID: own } },
        ],
        [],
        layered,
      ),
    );
    await project.scan(grypeReport(image, [grypeZlib]));
    expect((await project.items(`/findings?image=${image}`)).map(({ layer }) => layer).sort()).toEqual([
      'base_image',
      'own',
    ]);
  });

  test('that one scanner passes over stays open while another does not', async () => {
    const project = await newScannedProject(service);
    await project.upload(trivyReport(image, [zlib]));
    const ignored = { ...grypeReport(image, []), ignoredMatches: [grypeZlib] };
    expect(await countsOf(project, ignored)).toEqual({ ...none, total: 1, unchanged: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1001 open grype+trivy']);
    await project.upload(listingPackages(trivyReport(image, [])));
    expect(await seen(project)).toEqual(['CVE-1990-1001 suppressed grype']);
  });
});

describe('what a scan did not look at is not fixed', () => {
  const npm = vulnerability('CVE-1990-1003', 'qs', { PkgPath: 'a/package.json' });
  const only = (kind: 'os-pkgs' | 'lang-pkgs', report = trivyReport(image, [zlib], [npm])) => ({
    ...report,
    Results: report.Results.filter(({ Class }) => Class === kind),
  });

  test('by a scan of one kind of packages', async () => {
    const project = await newScannedProject(service);
    expect(await countsOf(project, only('os-pkgs'))).toMatchObject({ new: 1 });
    expect(await countsOf(project, only('lang-pkgs'))).toEqual({ ...none, total: 1, new: 1 });
    expect(await countsOf(project, only('os-pkgs'))).toEqual({ ...none, total: 1, unchanged: 1 });
    const without = only('lang-pkgs', listingPackages(trivyReport(image, [zlib], [])));
    expect(await countsOf(project, without)).toEqual({ ...none, fixed: 1 });
    expect(await seen(project)).toEqual(['CVE-1990-1001 open trivy', 'CVE-1990-1003 fixed trivy']);
  });

  test('by a report that does not say what it looked at, which says so', async () => {
    const project = await newScannedProject(service);
    await project.upload(trivyReport(image, [zlib], [npm]));
    const empty = { ...trivyReport(image, []), Results: [] };
    const note = 'nothing was fixed: the report does not say what it covered';
    expect((await project.upload(empty)).body).toMatchObject({ findings: none, note, tiers: { yellow: 2 } });
    const secrets = { ...trivyReport(image, []), Results: [{ Target: '/a', Class: 'secret', Secrets: [{}] }] };
    expect((await project.upload(secrets)).body).toMatchObject({ findings: none, note });
    const { Results, ...report } = trivyReport(image, []);
    const licences = { ...report, Results: [...Results, { Target: 'OS Packages', Class: 'license' }] };
    expect((await project.upload(licences)).body).toMatchObject({ findings: none, note });
    const half = await project.upload(only('os-pkgs', listingPackages(trivyReport(image, []))));
    expect(half.body).toMatchObject({
      findings: { fixed: 1 },
      note: expect.stringMatching(/^1 open findings that are not/),
    });
    expect((await project.upload(trivyReport(image, [], [npm]))).body).toMatchObject({ note: null });
  });

  test('by Grype in the visible layers, of what it saw in all of them', async () => {
    const project = await newScannedProject(service);
    const scoped = (scope: string, matches: readonly Record<string, unknown>[]) =>
      grypeReport(image, matches, { scope });
    await project.upload(scoped('AllLayers', [grypeZlib]));
    expect(await countsOf(project, scoped('Squashed', []))).toEqual(none);
    expect(await countsOf(project, scoped('Squashed', [grypeZlib]))).toMatchObject({ unchanged: 1 });
    expect(await countsOf(project, scoped('Squashed', []))).toMatchObject({ fixed: 0 });
    expect(await countsOf(project, scoped('AllLayers', []))).toMatchObject({ fixed: 1 });
    await project.upload(scoped('Squashed', [grypeZlib]));
    expect(await countsOf(project, scoped('AllLayers', []))).toMatchObject({ fixed: 1 });
  });

  test('by Grype with options that leave something out', async () => {
    const project = await newScannedProject(service);
    const limited = (configuration: unknown) => ({
      ...grypeReport(image, []),
      descriptor: { name: 'grype', configuration },
    });
    await project.upload(grypeReport(image, [grypeZlib]));
    expect(await countsOf(project, limited({ 'only-fixed': true }))).toEqual(none);
    expect(await countsOf(project, limited({ exclude: ['./usr/**'] }))).toEqual(none);
    expect(await countsOf(project, limited({ 'only-fixed': false, exclude: [] }))).toMatchObject({ fixed: 1 });
  });

  test('by a scan of files under the image’s name', async () => {
    const project = await newScannedProject(service);
    await project.upload(trivyReport(image, [zlib], [npm]));
    const files = { ...trivyReport(image, [], []), ArtifactType: 'filesystem' };
    expect(await countsOf(project, files, image)).toEqual(none);
  });
});

test('findings of an image are listed by tier, severity, vulnerability and package, in every project alike', async () => {
  const mark = Math.floor(Math.random() * 1e6);
  const of = (id: string, name: string, Severity = 'HIGH') =>
    vulnerability(`CVE-1990-${id}${mark}`, name, { Severity, SeveritySource: 'debian' });
  const found = [of('2', 'b'), of('2', 'a'), of('1', 'z'), of('3', 'a', 'CRITICAL'), of('0', 'a', 'LOW')];
  for (const order of [found, found.toReversed()]) {
    const project = await newScannedProject(service);
    for (const each of order)
      await project.upload(trivyReport(`acme/${String(each['PkgName'])}:${order.indexOf(each)}`, [each]));
    const listed = (await project.items('/findings')).map(
      (row) => `${row['vulnerability_id']} ${at(row, 'package.name')}`,
    );
    expect(listed).toEqual(
      [`3${mark} a`, `1${mark} z`, `2${mark} a`, `2${mark} b`, `0${mark} a`].map((each) => `CVE-1990-${each}`),
    );
  }
});

describe('a report that is older than the newest of its scanner', () => {
  const made = (CreatedAt: string, system: readonly Record<string, unknown>[]) => ({
    ...trivyReport(image, system),
    CreatedAt,
  });

  test('neither fixes nor reopens, and leaves the image as it is', async () => {
    const project = await newScannedProject(service);
    const before = made('2025-03-01T00:00:00Z', [zlib]);
    await project.upload(before);
    await project.upload(made('2025-03-03T00:00:00.123456789Z', [libc]));
    const note = 'nothing was changed: a newer report of the same search was uploaded before';
    const older = { ...made('2025-03-02T00:00:00Z', [zlib]), Metadata: { OS: { Family: 'debian', Name: '1' } } };
    expect((await project.upload(older)).body).toMatchObject({ findings: { ...none, total: 1, unchanged: 1 }, note });
    expect(await project.items('/images')).toMatchObject([{ os: 'debian 12.5' }]);
    expect((await project.upload(before)).body).toMatchObject({ findings: { ...none, total: 1, unchanged: 1 }, note });
    expect(await seen(project)).toEqual(['CVE-1990-1001 fixed trivy', 'CVE-1990-1002 open trivy']);
  });

  test('counts for what the newer one did not look at', async () => {
    const project = await newScannedProject(service);
    const newer = made('2025-03-03T00:00:00Z', []);
    await project.upload({ ...newer, Results: newer.Results.filter(({ Class }) => Class === 'os-pkgs') });
    const npm = vulnerability('CVE-1990-1003', 'qs', { PkgPath: 'a/package.json' });
    const older = { ...trivyReport(image, [zlib], [npm]), CreatedAt: '2025-03-01T00:00:00Z' };
    expect((await project.upload(older)).body).toMatchObject({
      findings: { ...none, total: 2, new: 1, unchanged: 1 },
      note: expect.stringMatching(/^1 findings were left as they are/),
    });
    expect(await seen(project)).toEqual(['CVE-1990-1003 open trivy']);
  });

  test('is told by its time alone: without one, or of another scanner, the upload decides', async () => {
    const project = await newScannedProject(service);
    await project.upload(made('2999-01-01T00:00:00Z', [zlib]));
    expect(await countsOf(project, trivyReport(image, [libc]))).toMatchObject({ new: 1, fixed: 1 });
    expect(await countsOf(project, made('0001-01-01T00:00:00Z', [zlib]))).toMatchObject({ reopened: 1, fixed: 1 });
    const grype = {
      ...grypeReport(image, [grypeZlib]),
      descriptor: { name: 'grype', timestamp: '2020-01-01T00:00:00Z' },
    };
    expect(await countsOf(project, grype)).toMatchObject({ unchanged: 1 });
    // A clock in the future does not outdate what comes after it.
    expect(await countsOf(project, made(new Date(Date.now() + 1000).toISOString(), [libc]))).toMatchObject({
      reopened: 1,
    });
  });
});

describe.skipIf(!hasData)('real reports of one image', () => {
  const juiceShop = 'trivy/scb-juice-shop-v12.10.2.json';
  const ref = 'bkimminich/juice-shop:v12.10.2';

  test('by Trivy and then Grype leave 182 findings of Trivy open', async () => {
    const project = await newScannedProject(service);
    const [trivy, grype] = [realReport(juiceShop), realReport('grype/many_vulns4.json')];
    expect(await countsOf(project, trivy)).toMatchObject({ new: 182 });
    expect(await countsOf(project, grype, ref)).toMatchObject({ fixed: 0, reopened: 0 });
    const again = { ...trivy, CreatedAt: '2024-11-01T00:00:00Z' };
    expect(await countsOf(project, again)).toEqual({ ...none, total: 182, unchanged: 182 });
    expect(await countsOf(project, realReport('trivy/scb-juice-shop-v12.10.2-empty-results.json'))).toEqual(none);
    expect(await project.items('/images')).toMatchObject([{ ref: `docker.io/${ref}` }]);
  });

  test('in halves, by the kind of packages, add up', async () => {
    const project = await newScannedProject(service);
    const whole = realReport(juiceShop);
    const results = Array.isArray(whole['Results']) ? whole['Results'] : [];
    const half = (kind: string) => ({ ...whole, Results: results.filter((each) => at(each, 'Class') === kind) });
    expect(await countsOf(project, half('os-pkgs'))).toEqual({ ...none, total: 21, new: 21 });
    expect(await countsOf(project, half('lang-pkgs'))).toEqual({ ...none, total: 161, new: 161 });
    expect(await countsOf(project, half('os-pkgs'))).toEqual({ ...none, total: 21, unchanged: 21 });
    expect(await countsOf(project, half('lang-pkgs'))).toEqual({ ...none, total: 161, unchanged: 161 });
  });
});
