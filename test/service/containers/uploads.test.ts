import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { grypeMatch, grypeReport } from '../scanners/grype/grype-report.js';
import { diffIds, layersOf, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { moderate, network, newScannedProject } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const [first, second] = [vulnerability('CVE-1990-1001', 'zlib1g'), vulnerability('CVE-1990-1002', 'libc6')];

describe('from report to report of an image', () => {
  test('findings are new, fixed and reopened, and the same report again changes nothing', async () => {
    const { upload, findings, items } = await newScannedProject(service);
    const counts = async (report: unknown) => at((await upload(report)).body, 'findings');
    const none = { total: 0, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
    const both = trivyReport('acme/shop:1', [first, second]);
    expect(await counts(both)).toEqual({ ...none, total: 2, new: 2 });
    expect(await counts(trivyReport('acme/shop:1', [first]))).toEqual({ ...none, total: 1, unchanged: 1, fixed: 1 });
    expect((await findings()).map(({ state }) => state)).toEqual(['open', 'fixed']);
    expect(await items('/findings')).toHaveLength(1);
    expect(await items('/findings?state=all')).toHaveLength(2);
    expect(await counts(both)).toEqual({ ...none, total: 2, unchanged: 1, reopened: 1 });
    const before = await Promise.all([findings(), items('/images')]);
    expect(await upload(both)).toMatchObject({
      body: { duplicate: true, findings: { ...none, total: 2, unchanged: 2 } },
    });
    expect(await Promise.all([findings(), items('/images')])).toEqual(before);
  });

  test('a vulnerable package that is upgraded and still vulnerable is the same finding', async () => {
    const { upload, items } = await newScannedProject(service);
    const at1 = (InstalledVersion: string, PkgPath: string) => [
      vulnerability('CVE-1990-1003', 'org.log4j:core', { InstalledVersion, PkgPath }),
    ];
    await upload(trivyReport('acme/shop:1', [first], at1('2.14.1', 'app/log4j-core-2.14.1.jar')));
    const upgraded = { ...first, InstalledVersion: '1.2.13' };
    const answer = await upload(trivyReport('acme/shop:1', [upgraded], at1('2.15.0', 'app/log4j-core-2.15.0.jar')));
    expect(answer.body).toMatchObject({ findings: { new: 0, fixed: 0, unchanged: 2 } });
    expect((await items('/findings')).map((row) => at(row, 'package.version')).sort()).toEqual(['1.2.13', '2.15.0']);
  });

  test('another image of the project keeps its own', async () => {
    const { upload, items } = await newScannedProject(service);
    await upload(trivyReport('acme/shop:1', [first, second]));
    expect((await upload(trivyReport('acme/shop:2', [first]))).body).toMatchObject({ findings: { new: 1, fixed: 0 } });
    expect(await items('/findings')).toHaveLength(3);
    expect((await items('/images')).map(({ ref }) => ref)).toEqual(['docker.io/acme/shop:1', 'docker.io/acme/shop:2']);
  });
});

describe('one finding', () => {
  test('is a vulnerability of a system package, and of a package in each place', async () => {
    const { upload, items } = await newScannedProject(service);
    const npm = (PkgPath: string, InstalledVersion = '1.0.0') =>
      vulnerability('CVE-1990-1004', 'qs', { PkgPath, InstalledVersion, FixedVersion: '6.0.0' });
    const answer = await upload(
      trivyReport(
        'acme/shop:1',
        [first, { ...first, InstalledVersion: '1.1' }],
        [npm('a/package.json'), npm('/a/package.json'), npm('b/package.json', '2.0.0')],
      ),
    );
    expect(answer.body).toMatchObject({ findings: { total: 3, new: 3 } });
    const told = (await items('/findings')).map((row) => [
      at(row, 'package.name'),
      at(row, 'package.version'),
      row['path'],
    ]);
    expect(told.sort()).toEqual([
      ['qs', '1.0.0', 'a/package.json'],
      ['qs', '2.0.0', 'b/package.json'],
      ['zlib1g', '1.0.0, 1.1', null],
    ]);
  });

  test('is as severe as the distribution says, else as its CVSS score, else as the scanner’s label, else medium', async () => {
    const { upload, items } = await newScannedProject(service);
    const score = (name: string, CVSS: object, Severity = 'LOW', SeveritySource = 'debian') =>
      vulnerability('CVE-1990-1005', name, { CVSS, Severity, SeveritySource });
    await upload(
      trivyReport('acme/shop:1', [
        score('a', { nvd: { V2Vector: 'AV:N/AC:L/Au:N/C:C/I:C/A:C', V3Vector: moderate } }, 'LOW', 'nvd'),
        score('b', { nvd: { V3Vector: network }, debian: { V3Vector: moderate } }, 'MEDIUM'),
        score('c', { nvd: { V3Vector: network } }, 'LOW', 'nvd'),
        score('d', { nvd: { V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N' } }, 'LOW', ''),
        score('e', { nvd: { V3Vector: 'not one' } }, 'CRITICAL'),
        score('f', {}, 'UNKNOWN'),
        score('g', {}, 'HIGH'),
      ]),
    );
    const told = (await items('/findings')).map((row) => [
      at(row, 'package.name'),
      row['severity'],
      row['tier'],
      row['cvss_score'],
    ]);
    expect(told.sort()).toEqual([
      ['a', 'medium', 'YELLOW', 6.1],
      ['b', 'medium', 'YELLOW', 6.1],
      ['c', 'critical', 'RED', 9.8],
      ['d', 'info', 'GREEN', 0],
      ['e', 'critical', 'RED', null],
      ['f', 'medium', 'YELLOW', null],
      ['g', 'high', 'YELLOW', null],
    ]);
    expect(await items('/findings?severity=critical')).toHaveLength(2);
    expect((await items('/findings')).map(({ tier }) => tier)).toEqual([
      'RED',
      'RED',
      'YELLOW',
      'YELLOW',
      'YELLOW',
      'YELLOW',
      'GREEN',
    ]);
    expect(await items('/images')).toMatchObject([{ tiers: { red: 2, yellow: 4, green: 1 } }]);
  });

  test('that the report itself passes over is suppressed, not fixed', async () => {
    const { upload, items } = await newScannedProject(service);
    const shop = 'acme/shop:1';
    const [zlib, libc] = [grypeMatch('CVE-1990-1001', { name: 'a' }), grypeMatch('CVE-1990-1002', { name: 'b' })];
    await upload(grypeReport(shop, [zlib, libc]));
    const answer = await upload({ ...grypeReport(shop, [libc]), ignoredMatches: [zlib] });
    expect(answer.body).toMatchObject({ findings: { total: 2, suppressed: 1, fixed: 0 }, tiers: { yellow: 1 } });
    expect((await items('/findings?state=all')).map(({ state }) => state)).toEqual(['open', 'suppressed']);
    const report = trivyReport(shop, [first]);
    const [system] = report.Results;
    const modified = [
      { Type: 'vulnerability', Status: 'not_affected', Finding: second },
      { Type: 'misconfiguration', Status: 'ignored', Finding: { ID: 'DS001' } },
    ];
    const trivy = await upload({ ...report, Results: [{ ...system, ExperimentalModifiedFindings: modified }] });
    expect(trivy.body).toMatchObject({ findings: { total: 2, new: 1, suppressed: 1, fixed: 0 } });
  });

  test('by a GHSA id has EPSS and KEV of the CVE that the advisory, or the report, names', async () => {
    const { upload, items } = await newScannedProject(service);
    const mark = Math.floor(Math.random() * 1e12);
    const [scored, listed, ghsa] = [`CVE-1990-1${mark}`, `CVE-1990-2${mark}`, `GHSA-${mark}`];
    await service.database.system(async (tx) => {
      await tx
        .insertInto('epss')
        .values({ cve: scored, probability: 0.4, percentile: 0.97, scored_on: '2025-08-15', model: 'v1' })
        .execute();
      await tx
        .insertInto('kev')
        .values({ cve: listed, date_added: '2025-01-02', due_date: '2025-01-23', ransomware: true })
        .execute();
      await sql`insert into advisories (id, modified, summary, cves, aliases, malicious, "references", content_hash)
        values (${ghsa}, now(), 's', ${[scored]}::text[], '{}', false, '{}', '\\x00')`.execute(tx);
    });
    await upload(
      grypeReport('acme/shop:1', [
        grypeMatch(ghsa, { name: 'a', type: 'npm' }, { cvss: [{ version: '3.1', vector: moderate }] }),
        { ...grypeMatch(`GHSA-x-${mark}`, { name: 'b', type: 'npm' }), relatedVulnerabilities: [{ id: listed }] },
      ]),
    );
    expect(await items('/findings')).toMatchObject([
      {
        vulnerability_id: `GHSA-x-${mark}`,
        tier: 'RED',
        epss: null,
        kev: { date_added: '2025-01-02', due_date: '2025-01-23', ransomware: true },
      },
      {
        vulnerability_id: ghsa,
        tier: 'YELLOW',
        kev: null,
        epss: { probability: 0.4, percentile: 0.97, date: '2025-08-15' },
      },
    ]);
  });
});

test('a base that is scanned after what stands on it tells its layers apart too', async () => {
  const { scan, items } = await newScannedProject(service);
  const [base, app] = diffIds('first', 'second');
  const from = (DiffID: string | undefined, name: string) =>
    vulnerability('CVE-1990-1007', name, { Layer: { DiffID } });
  await scan(trivyReport('acme/shop:1', [from(base, 'a'), from(app, 'b')], [], layersOf('first', 'second')));
  const layers = async () =>
    (await items('/findings?image=acme/shop:1'))
      .map((row) => `${at(row, 'package.name')} ${String(row['layer'])}`)
      .sort();
  expect(await layers()).toEqual(['a unknown', 'b unknown']);
  await scan(trivyReport('acme/base:1', [], [], layersOf('first')));
  expect(await layers()).toEqual(['a base_image', 'b own']);
});

describe('an upload is refused, and leaves no trace,', () => {
  const good = trivyReport('acme/shop:1', [first]);
  const [system] = good.Results;
  const grype = grypeReport('acme/shop:1', []);

  test.each<[string, unknown, string]>([
    ['which is of no known tool', { bomFormat: 'CycloneDX' }, 'report'],
    ['of another schema of Trivy', { ...good, SchemaVersion: 1 }, 'report.SchemaVersion'],
    ['whose results are no list', { ...good, Results: {} }, 'report.Results'],
    [
      'with a vulnerability without an id',
      { ...good, Results: [{ ...system, Vulnerabilities: [{ PkgName: 'a' }] }] },
      'report.Results.0.Vulnerabilities.0.VulnerabilityID',
    ],
    ['whose matches are no list', { ...grype, matches: null }, 'report.matches'],
    [
      'with a match without a package',
      { ...grype, matches: [{ vulnerability: { id: 'CVE-1990-1001' } }] },
      'report.matches.0.artifact',
    ],
  ])('%s', async (_what, report, field) => {
    const { upload, findings, items, projectId } = await newScannedProject(service);
    expect(await upload(report)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ field, reason: 'not_container_report' }] },
    });
    expect(await findings()).toEqual([]);
    expect(await items('/images')).toEqual([]);
    const jobs = await service.database.system((tx) =>
      tx.selectFrom('scan_jobs').select('id').where('project_id', '=', projectId).execute(),
    );
    expect(jobs).toEqual([]);
  });

  test('where the report keeps what was there', async () => {
    const { upload, findings } = await newScannedProject(service);
    await upload(good);
    const before = await findings();
    await upload({ ...good, Results: [{ ...system, Vulnerabilities: [{ PkgName: 'a' }] }] });
    expect(await findings()).toEqual(before);
  });

  test('with a name that is none', async () => {
    const { upload } = await newScannedProject(service);
    expect(await upload(good, 'not a name')).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ field: 'image', reason: 'not_an_image_ref' }] },
    });
    for (const report of [
      { ...good, ArtifactName: '', Metadata: {} },
      { ...good, ArtifactName: 'image.tar', Metadata: {} },
      { ...good, ArtifactName: 'be30ca1df4be', Metadata: {} },
      { ...good, ArtifactType: 'filesystem' },
      { ...grype, source: { type: 'directory', target: '.' } },
    ]) {
      expect(await upload(report)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', errors: [{ field: 'image', reason: 'no_image_ref' }] },
      });
    }
  });

  test('by who may not', async () => {
    const { path, projectId, organisation } = await newScannedProject(service);
    const call = (key: string | null, where = `${path}/reports`) => service.call(key, 'POST', where, good);
    expect(await call(null)).toMatchObject({ status: 401 });
    expect(await call(organisation.readKey)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const other = await service.newOrganisation();
    expect(await call(other.writeKey)).toMatchObject({ status: 404, body: { resource: 'project' } });
    const missing = path.replace(projectId, 'prj_missing');
    expect(await call(organisation.writeKey, `${missing}/reports`)).toMatchObject({ status: 404 });
  });
});

test('what a report says is kept within bounds', async () => {
  const { upload, items } = await newScannedProject(service);
  const long = 'long '.repeat(20_000);
  const answer = await upload(
    trivyReport(
      'acme/shop:1',
      [],
      [
        vulnerability('CVE-1990-1008', long, {
          Title: long,
          InstalledVersion: long,
          PkgPath: long,
          FixedVersion: long,
        }),
      ],
      { OS: { Family: long, Name: '1' } },
    ),
  );
  expect(answer.status).toBe(200);
  const [finding] = await items('/findings');
  expect(JSON.stringify(finding).length).toBeLessThan(4_000);
  expect(JSON.stringify(await items('/images')).length).toBeLessThan(1_000);
});

test('an upload is audited once', async () => {
  const { upload } = await newScannedProject(service);
  const report = trivyReport('acme/shop:1', [first]);
  const imageId = at((await upload(report)).body, 'image_id');
  expect(at((await upload(report)).body, 'image_id')).toBe(imageId);
  const entries = await service.database.system((tx) =>
    tx.selectFrom('audit_log').select(['action', 'after']).where('target_id', '=', String(imageId)).execute(),
  );
  expect(entries).toMatchObject([
    { action: 'containers.upload_report', after: { ref: 'docker.io/acme/shop:1', scanner: 'trivy', new: 1 } },
  ]);
});
