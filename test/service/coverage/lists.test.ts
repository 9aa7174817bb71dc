import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { loadCovering, record, track, unique } from '../intelligence/organisation.js';
import { report } from '../reachability/report.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../scanners/zap/zap-report.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const repo = 'https://example.com/shop';
const target = 'https://shop.example.com';

async function newProject() {
  const scanned = await newScannedProject(service);
  const { organisation, projectId, key } = scanned;
  const coverage = async (path: string) => {
    const { status, body } = await service.call(key, 'GET', `/api/projects/${projectId}/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return at(body, 'coverage');
  };
  const refusal = async (path: string) => {
    const { status, body } = await service.call(key, 'GET', `/api/projects/${projectId}/${path}`);
    expect([path, status]).toEqual([path, 422]);
    return at(body, 'errors.0');
  };
  return { ...scanned, coverage, refusal, images: inProject(service, key, projectId, organisation) };
}

const unknown = (...gaps: string[]) => ({ status: 'unknown', gaps });

describe('a list without rows', () => {
  test('is unknown where nothing was ever looked at', async () => {
    const { coverage } = await newProject();
    const none = { known: false, feeds: [] };
    expect(await coverage('alerts')).toEqual({
      ...none,
      ...unknown('no packages are tracked'),
      domains: [{ domain: 'dependencies', status: 'unknown' }],
    });
    expect(await coverage('tech-stack')).toMatchObject({ ...none, ...unknown('no packages are tracked') });
    expect(await coverage('reachability/verdicts')).toMatchObject(
      unknown('no usage report has been uploaded: alerts have no verdict', 'no packages are tracked'),
    );
    expect(await coverage('sast/findings')).toMatchObject({ ...none, ...unknown('no code has been scanned') });
    expect(await coverage('dast/findings')).toMatchObject(unknown('no running application has been scanned'));
    expect(await coverage('containers/images')).toMatchObject(unknown('no image has been scanned'));
    expect(await coverage('containers/findings')).toMatchObject(unknown('no image has been scanned'));
  });

  test('is not affected after scans that found nothing, and says so of what was scanned alone', async () => {
    const { coverage, refusal, uploadSarif, uploadZap, images } = await newProject();
    await uploadSarif(sarif(run([])), repo);
    await uploadZap(zap(site(target)));
    const half = { CreatedAt: new Date().toISOString() };
    const [system] = trivyReport('acme/shop:1', []).Results;
    await images.scan({ ...trivyReport('acme/shop:1', []), ...half, Results: [system] });
    expect(await coverage('containers/findings')).toMatchObject(
      unknown('1 of 1 images have no dated scan of language packages'),
    );
    await images.scan({ ...trivyReport('acme/shop:1', []), CreatedAt: new Date().toISOString() });
    const searched = { status: 'not_affected', known: true, gaps: [] };
    expect(await coverage('sast/findings')).toMatchObject(searched);
    expect(await coverage(`sast/findings?source_repo=${encodeURIComponent(`${repo}.git`)}`)).toMatchObject(searched);
    expect(await coverage('dast/findings')).toMatchObject(searched);
    expect(await coverage(`dast/findings?target_url=${encodeURIComponent(`${target}/cart`)}`)).toMatchObject(searched);
    expect(await coverage('containers/findings?image=acme/shop:1')).toMatchObject(searched);
    // An empty list of what was never scanned would reassure: it is an error that names what was.
    expect(await refusal('sast/findings?source_repo=shop')).toMatchObject({ field: 'source_repo', known: [repo] });
    const other = await refusal('dast/findings?target_url=https://other.example.com');
    expect(other).toMatchObject({ field: 'target_url', known: [target] });
  });

  test('is not affected by what a filter asks for, whatever else is open, and its coverage is null where it has rows', async () => {
    const { coverage, uploadSarif, uploadZap, images } = await newProject();
    await uploadSarif(sarif(run([result(1), result(2)])), repo);
    await uploadZap(zap(site(target, alert('1'))));
    const report = trivyReport('acme/shop:1', [vulnerability('CVE-1990-1', 'a')]);
    await images.scan({ ...report, CreatedAt: new Date().toISOString() });
    for (const [path, open] of [
      ['sast/findings', 2],
      ['dast/findings', 1],
      ['containers/findings', 1],
    ] as const) {
      expect(await coverage(path)).toBeNull();
      const searched = { status: 'not_affected', known: true, gaps: [] };
      expect(await coverage(`${path}?severity=info`)).toMatchObject(searched);
      expect(await coverage(`${path}?severity=info&severity=low`)).toMatchObject(searched);
      if (path === 'containers/findings') continue;
      expect(await coverage(`${path}?state=fixed`)).toMatchObject(unknown(`${open} open, left out by the filter`));
    }
    expect(await coverage('containers/images')).toBeNull();
  });

  test('says how old the last scan is', async () => {
    const { coverage, uploadSarif, images, projectId } = await newProject();
    await uploadSarif(sarif(run([])), repo);
    await images.scan({ ...trivyReport('acme/shop:1', []), CreatedAt: new Date().toISOString() });
    await database.system(async (tx) => {
      await sql`update scan_jobs set finished_at = now() - interval '40 days' where project_id = ${projectId}`.execute(
        tx,
      );
      await sql`update container_images set scanned_at = now() - interval '40 days' where project_id = ${projectId}`.execute(
        tx,
      );
    });
    const old = (domain: string) => ({
      status: 'unknown',
      gaps: [expect.stringMatching(new RegExp(`^${domain}: the last scan is of \\d{4}-\\d\\d-\\d\\d, 40 days ago$`))],
    });
    expect(await coverage('sast/findings')).toMatchObject(old('code'));
    expect(await coverage('containers/findings')).toMatchObject(old('containers'));
  });
});

describe('alerts and verdicts', () => {
  test('are covered only where the advisories of every ecosystem of the stack are complete and fresh', async () => {
    const { coverage, organisation, projectId } = await newProject();
    const [name, other] = [unique.name(), unique.name()];
    await track(service, organisation, projectId, { ecosystem: 'PyPI', name, version: '2.0.0' });
    expect(await coverage('alerts')).toMatchObject({
      ...unknown('no complete advisories are loaded for PyPI'),
      feeds: [{ ecosystem: 'PyPI', as_of: null, stale: true }],
    });
    await loadCovering(service, ['PyPI'], record(unique.name(), other, { modified: new Date().toISOString() }, 'PyPI'));
    expect(await coverage('alerts?tier=RED')).toMatchObject({ status: 'not_affected', known: true, gaps: [] });
    await track(service, organisation, projectId, { ecosystem: 'PyPI', name: other, version: '1.0.0' });
    expect(await coverage('alerts')).toBeNull();
    expect(await coverage('alerts?status=resolved')).toMatchObject(unknown('1 open, left out by the filter'));
    expect(await coverage('reachability/verdicts')).toMatchObject({
      status: 'affected',
      gaps: ['no usage report has been uploaded: alerts have no verdict'],
    });
  });

  test('are unknown for a CVE that no verdict is about', async () => {
    const { coverage, organisation, projectId, key } = await newProject();
    const name = unique.name();
    await loadCovering(service, ['npm'], record(unique.name(), name, { modified: new Date().toISOString() }));
    await track(service, organisation, projectId, { ecosystem: 'npm', name, version: '1.0.0' });
    const path = `/api/projects/${projectId}/reachability/usage-reports`;
    expect((await service.call(key, 'POST', path, report([]))).status).toBe(200);
    const cve = unique.cve();
    expect(await coverage('reachability/verdicts')).toBeNull();
    expect(await coverage(`reachability/verdicts?cve=${cve}`)).toMatchObject({
      status: 'unknown',
      known: false,
      gaps: expect.arrayContaining([`nothing held here knows ${cve}`]),
    });
  });
});

test('a sync says which packages no complete and fresh advisories were there for', async () => {
  const { projectId, key } = await newProject();
  const packages = ['a', 'b'].map((name) => ({ ecosystem: 'Packagist', name: `v/${name}`, version: '1.0.0' }));
  const path = `/api/projects/${projectId}/tech-stack/sync`;
  const none = { ecosystem: 'NuGet', name: 'c', version: '1.0.0' };
  const sync = (source: string, list: readonly object[]) =>
    service.call(key, 'POST', path, { source, packages: list, force: true }).then(({ body }) => at(body, 'coverage'));
  expect(await sync('one', [...packages, none])).toMatchObject({
    status: 'unknown',
    gaps: [
      '1 NuGet package not matched: no complete advisories of NuGet are loaded',
      '2 Packagist packages not matched: no complete advisories of Packagist are loaded',
    ],
  });
  const day = 24 * 60 * 60 * 1000;
  const modified = new Date(Date.now() - 9 * day).toISOString();
  await loadCovering(service, ['Packagist'], record(unique.name(), 'v/z', { modified }, 'Packagist'));
  expect(await sync('one', packages)).toMatchObject({
    status: 'unknown',
    gaps: ['2 Packagist packages matched with old advisories: 9 days'],
  });
  const now = new Date().toISOString();
  await loadCovering(service, ['Packagist'], record(unique.name(), 'v/z', { modified: now }, 'Packagist'));
  expect(await sync('one', packages)).toMatchObject({ status: 'not_affected', gaps: [] });
  expect(await sync('one', [])).toMatchObject({ status: 'unknown', gaps: ['no packages were sent'] });
});

test('the posture says how many projects nothing was looked at in', async () => {
  const { organisation, projectId, key, uploadSarif } = await newProject();
  await service.call(key, 'POST', '/api/projects', { name: 'empty' });
  await uploadSarif(sarif(run([])), repo);
  await track(service, organisation, projectId, { ecosystem: 'RubyGems', name: unique.name(), version: '1.0.0' });
  const gapsOf = async (domain: string, query = '') =>
    at((await service.call(key, 'GET', `/api/posture/${domain}/summary${query}`)).body, 'coverage.gaps');
  expect(await gapsOf('dependencies')).toEqual([
    '1 of 2 projects have no tech stack',
    'no complete advisories are loaded for RubyGems',
  ]);
  expect(await gapsOf('code')).toEqual(['1 of 2 projects have no code scan']);
  expect(await gapsOf('containers')).toEqual(['no image has been scanned']);
  expect(await gapsOf('code', `?project_id=${projectId}`)).toEqual([]);
});
