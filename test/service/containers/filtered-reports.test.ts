import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { grypeMatch, grypeReport } from '../scanners/grype/grype-report.js';
import { listingPackages, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { newScannedProject, realReport } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const image = 'acme/shop:1';
const rated = (id: string, Severity: string, FixedVersion = '2.0.0') =>
  vulnerability(`CVE-1990-${id}`, `lib${id}`, { Severity, FixedVersion });
const [unknown, low, medium] = [rated('2000', 'UNKNOWN'), rated('2001', 'LOW'), rated('2002', 'MEDIUM')];
const [high, other, critical] = [rated('2003', 'HIGH'), rated('2004', 'HIGH'), rated('2005', 'CRITICAL')];
const all = [unknown, low, medium, high, other, critical];

/** Uploads reports on one image in turn. Answers what the last one changed, its note and what is open. */
async function uploadEach(...reports: readonly unknown[]) {
  const project = await newScannedProject(service);
  let body: unknown;
  for (const report of reports) {
    const answer = await project.upload(report);
    expect(answer.status).toBe(200);
    body = answer.body;
  }
  const open = async () => (await project.items('/findings?state=open')).map((row) => row['vulnerability_id']).sort();
  return { project, fixed: at(body, 'findings.fixed'), note: at(body, 'note'), open };
}

const idsOf = (...rows: readonly { readonly VulnerabilityID?: unknown }[]) =>
  rows.map(({ VulnerabilityID }) => VulnerabilityID).sort();

describe('a report of Trivy that lists all packages', () => {
  const libraries = (...ids: readonly string[]) => ids.map((id) => `lib${id}`);

  test('fixes what was found in a package that is not there any more, whatever its severity', async () => {
    const filtered = listingPackages(trivyReport(image, [critical]), ...libraries('2001', '2005'));
    const { fixed, note, open } = await uploadEach(trivyReport(image, all), filtered);
    expect([fixed, await open()]).toEqual([4, idsOf(low, critical)]);
    expect(note).toContain('1 open findings');
    const none = await uploadEach(trivyReport(image, all), listingPackages(trivyReport(image, [])));
    expect([none.fixed, none.note, await none.open()]).toEqual([6, null, []]);
  });

  test('says nothing by its list where that lacks the package of a row, or is of another part', async () => {
    const part = listingPackages(trivyReport(image, [critical]));
    expect((await uploadEach(trivyReport(image, all), part)).fixed).toBe(0);
    const [system, library] = listingPackages(trivyReport(image, [critical])).Results;
    const other = { ...trivyReport(image, []), Results: [{ ...system, Packages: null }, library] };
    expect((await uploadEach(trivyReport(image, all), other)).fixed).toBe(0);
  });

  test('writes versions of the system with their epoch and release', async () => {
    const zlib = rated('2007', 'LOW');
    const whole = trivyReport(image, [{ ...zlib, InstalledVersion: '1:2.0-3' }, critical]);
    const { Results, ...report } = listingPackages(trivyReport(image, [critical]), ...libraries('2005'));
    const installed = (Version: string) => ({ Name: 'lib2007', Version, Release: '3', Epoch: 1 });
    const at = (version: string) => ({
      ...report,
      Results: Results.map((each) => ({ ...each, Packages: [...each.Packages, installed(version)] })),
    });
    expect(await (await uploadEach(whole, at('2.0'))).open()).toEqual(idsOf(critical, zlib));
    expect(await (await uploadEach(whole, at('2.1'))).open()).toEqual(idsOf(critical));
  });
});

describe('a report of Trivy that stops at a severity', () => {
  test('fixes nothing that is less severe, and says how many and how to go on', async () => {
    const { fixed, note, open } = await uploadEach(trivyReport(image, all), trivyReport(image, [high, critical]));
    expect(fixed).toBe(1);
    expect(await open()).toEqual(idsOf(unknown, low, medium, high, critical));
    expect(note).toMatch(/^3 open findings .* a filter of the scanner .* upload the report again with complete=true$/);
  });

  test('is one that shows everything, once it shows something less severe', async () => {
    const filtered = trivyReport(image, [high, critical]);
    const { fixed, note, open } = await uploadEach(
      trivyReport(image, all),
      filtered,
      trivyReport(image, [unknown, low, high]),
    );
    expect([fixed, note]).toEqual([2, null]);
    expect(await open()).toEqual(idsOf(unknown, low, high));
  });

  test('shows a severity that is not known by itself: it is in no order', async () => {
    const { fixed, open } = await uploadEach(trivyReport(image, all), trivyReport(image, [unknown, high]));
    expect([fixed, await open()]).toEqual([2, idsOf(unknown, low, medium, high)]);
    const known = await uploadEach(trivyReport(image, all), trivyReport(image, [low, medium, high, other]));
    expect([known.fixed, await known.open()]).toEqual([1, idsOf(unknown, low, medium, high, other)]);
  });

  test('has the least severity of all parts of the image', async () => {
    const { fixed, open } = await uploadEach(trivyReport(image, all), trivyReport(image, [critical], [low]));
    expect(fixed).toBe(4);
    expect(await open()).toHaveLength(3);
  });

  test('that is said to be complete fixes all that it lacks, also if it was uploaded before', async () => {
    const filtered = trivyReport(image, [high, critical]);
    const { project, open } = await uploadEach(trivyReport(image, all), filtered);
    const path = `${project.path}/reports?complete=true`;
    const answer = await service.call(project.key, 'POST', path, filtered);
    expect(answer.body).toMatchObject({ duplicate: false, note: null, findings: { total: 2, unchanged: 2, fixed: 3 } });
    expect(await open()).toEqual(idsOf(high, critical));
  });

  test('without any finding fixes the critical ones with a fix alone, which every filter lets through', async () => {
    const none = trivyReport(image, []);
    const unfixed = rated('2006', 'CRITICAL', '');
    const { project, fixed, note, open } = await uploadEach(
      trivyReport(image, [medium, high, critical, unfixed]),
      none,
    );
    expect(fixed).toBe(1);
    expect(note).toContain('3 open findings');
    const again = await project.upload({ ...none, CreatedAt: '2026-01-01T00:00:00Z' });
    expect(again.body).toMatchObject({ findings: { fixed: 0 }, note: expect.stringContaining('3 open findings') });
    expect(await open()).toEqual(idsOf(medium, high, unfixed));
  });

  test('that comes first hides nothing of a later whole one', async () => {
    const { project } = await uploadEach(trivyReport(image, [critical]));
    const { body } = await project.upload(trivyReport(image, all));
    expect(body).toMatchObject({ findings: { new: 5, unchanged: 1, fixed: 0, reopened: 0 }, note: null });
  });
});

test('a report that shows only what has a fix fixes nothing that has none', async () => {
  const unfixed = rated('2006', 'CRITICAL', '');
  const { fixed, note, open } = await uploadEach(
    trivyReport(image, [...all, unfixed]),
    trivyReport(image, [unknown, low]),
  );
  expect(fixed).toBe(4);
  expect(note).toContain('1 open findings');
  expect(await open()).toEqual(idsOf(unknown, low, unfixed));
});

test('Trivy’s own words count where Grype sees the finding, too; Grype states its filters, so it fixes', async () => {
  const match = (id: string, severity: string) =>
    grypeMatch(id, { name: `lib${id.slice(-4)}`, severity, purl: `pkg:deb/debian/lib${id.slice(-4)}@1.0.0` });
  const grype = (...matches: readonly Record<string, unknown>[]) => grypeReport(image, matches);
  const { project, open } = await uploadEach(
    trivyReport(image, [medium, high]),
    grype(match('CVE-1990-2002', 'Critical'), match('CVE-1990-2003', 'High')),
    trivyReport(image, [high]),
  );
  await project.scan(grype());
  expect(await open()).toEqual(idsOf(medium, high));
});

const path = 'trivy/scb-juice-shop-v12.10.2.json';

test.skipIf(!hasData)('a real report, then the same of HIGH and CRITICAL alone: nothing is fixed', async () => {
  const report = realReport(path);
  const results = Array.isArray(report['Results']) ? report['Results'] : [];
  const isWanted = (row: unknown) => ['HIGH', 'CRITICAL'].includes(textAt(row, 'Severity'));
  const filtered = {
    ...report,
    Results: results.map((result: object) => {
      const rows = at(result, 'Vulnerabilities');
      return Array.isArray(rows) ? { ...result, Vulnerabilities: rows.filter(isWanted) } : result;
    }),
  };
  const { project, fixed, note, open } = await uploadEach(report, filtered);
  const all = await (await uploadEach(report)).open();
  expect(fixed).toBe(0);
  expect(note).toMatch(/^\d+ open findings/);
  expect(await open()).toEqual(all);
  const { body } = await project.upload({ ...report, CreatedAt: '2026-01-01T00:00:00Z' });
  expect(body).toMatchObject({ findings: { new: 0, reopened: 0, fixed: 0 }, note: null });
});
