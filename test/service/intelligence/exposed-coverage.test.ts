import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { listingPackages, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { get, loadCovering, newProject, record, track, unique } from './organisation.js';

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

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const modified = daysAgo(0);

async function coverageOf(organisation: TestOrganisation, cve: string): Promise<unknown> {
  const { status, body } = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}`);
  expect([status, at(body, 'items')]).toEqual([200, []]);
  return at(body, 'coverage');
}

/** An organisation about which everything is known: it has the package at a safe version, and a scanned image. */
async function coveredOrganisation() {
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'shop');
  const [name, cve, id] = [unique.name(), unique.cve(), unique.name()];
  await track(service, organisation, project, { ecosystem: 'npm', name, version: '2.0.0' });
  const image = (more: object = { CreatedAt: new Date().toISOString() }) =>
    inProject(service, organisation.writeKey, project, organisation).scan({
      ...trivyReport('acme/shop:1', []),
      ...more,
    });
  await image();
  await loadCovering(service, ['npm'], record(id, name, { aliases: [cve], modified, published: daysAgo(400) }));
  return { organisation, project, name, cve, image };
}

describe('not affected is said', () => {
  test('where advisories are fresh, every project has a stack and every image was scanned since', async () => {
    const { organisation, cve } = await coveredOrganisation();
    expect(await coverageOf(organisation, cve)).toEqual({
      status: 'not_affected',
      domains: [
        { domain: 'dependencies', status: 'not_affected' },
        { domain: 'code', status: 'unknown' },
        { domain: 'running_app', status: 'unknown' },
        { domain: 'containers', status: 'not_affected' },
      ],
      feeds: [{ ecosystem: 'npm', as_of: expect.any(String), stale: false }],
      known: true,
      gaps: [],
    });
  });
});

describe('it is unknown, and said why', () => {
  const unknown = (gap: RegExp, known = true) => ({
    status: 'unknown',
    known,
    gaps: expect.arrayContaining([expect.stringMatching(gap)]),
  });

  test('for an id that nothing knows', async () => {
    const { organisation } = await coveredOrganisation();
    const cve = unique.cve();
    expect(await coverageOf(organisation, cve)).toMatchObject(
      unknown(new RegExp(`^nothing held here knows ${cve}$`), false),
    );
  });

  test('for a CVE that KEV or EPSS has, and no advisory names packages of', async () => {
    const { organisation } = await coveredOrganisation();
    const [cve, scored] = [unique.cve(), unique.cve()];
    await database.system(async (tx) => {
      await sql`insert into kev (cve, date_added, ransomware) values (${cve}, '2023-11-21', false)`.execute(tx);
      await sql`insert into epss values (${scored}, 0.5, 0.9, '2025-08-15', 'v4')`.execute(tx);
    });
    for (const each of [cve, scored]) {
      expect(await coverageOf(organisation, each)).toMatchObject(
        unknown(new RegExp(`^no advisory held names packages of ${each}: dependencies cannot be matched$`)),
      );
      expect(await coverageOf(organisation, each)).toMatchObject(
        unknown(/^runtimes such as Node\.js, .* are not looked for/),
      );
    }
  });

  test('where a stack has an ecosystem that no feed has completely', async () => {
    const { organisation, project, cve } = await coveredOrganisation();
    await track(service, organisation, project, { ecosystem: 'NuGet', name: 'any', version: '1.0.0' });
    const coverage = await coverageOf(organisation, cve);
    expect(coverage).toMatchObject(unknown(/^no complete advisories are loaded for NuGet$/));
    expect(at(coverage, 'feeds')).toContainEqual({ ecosystem: 'NuGet', as_of: null, stale: true });
  });

  test('where the advisories are old', async () => {
    const { organisation, project } = await coveredOrganisation();
    const [name, cve] = [unique.name(), unique.cve()];
    await track(service, organisation, project, { ecosystem: 'RubyGems', name, version: '2.0.0' });
    const fields = { aliases: [cve], modified: daysAgo(12), published: daysAgo(400) };
    await loadCovering(service, ['RubyGems'], record(unique.name(), name, fields, 'RubyGems'));
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^advisories are old: RubyGems \(12 days\)$/));
  });

  test('where a project has no stack', async () => {
    const { organisation, cve } = await coveredOrganisation();
    await newProject(service, organisation, 'empty');
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^1 of 2 projects have no tech stack$/));
  });

  test('where there is no project at all', async () => {
    const { cve } = await coveredOrganisation();
    const organisation = await service.newOrganisation();
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^there is no project$/));
  });

  test('where no image was scanned, or one not since', async () => {
    const { organisation, cve, image } = await coveredOrganisation();
    const setScanned = (at: string | null) =>
      database.system((tx) =>
        at === null
          ? sql`delete from container_images where organisation_id = ${organisation.id}`.execute(tx)
          : sql`update newest_reports set reported_at = ${at} where organisation_id = ${organisation.id}`.execute(tx),
      );
    await setScanned(daysAgo(401));
    expect(await coverageOf(organisation, cve)).toMatchObject({
      ...unknown(/^1 of 1 images have no dated scan of language packages since its advisory of \d{4}-\d\d-\d\d$/),
      domains: expect.arrayContaining([
        { domain: 'dependencies', status: 'not_affected' },
        { domain: 'containers', status: 'unknown' },
      ]),
    });
    await setScanned(null);
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^no image has been scanned$/));
    await image();
    expect(await coverageOf(organisation, cve)).toMatchObject({ status: 'not_affected' });
  });

  test.each([
    ['the system’s packages alone', { Results: [{ Target: 'acme/shop:1', Class: 'os-pkgs', Type: 'debian' }] }],
    ['packages at an unknown time', {}],
  ])('where an image was searched for %s', async (_words, more) => {
    const { organisation, cve, image } = await coveredOrganisation();
    await database.system((tx) =>
      sql`delete from newest_reports where organisation_id = ${organisation.id}`.execute(tx),
    );
    await image('Results' in more ? { CreatedAt: new Date().toISOString(), ...more } : more);
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^1 of 1 images have no dated scan of language/));
  });

  test('where an SBOM states it of a package that no alert is about', async () => {
    const { organisation, project, name, cve } = await coveredOrganisation();
    const upload = async (state: string) => {
      const { status } = await service.call(organisation.writeKey, 'POST', `/api/projects/${project}/tech-stack/sbom`, {
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: [{ type: 'library', 'bom-ref': 'a', name, version: '2.0.0', purl: `pkg:npm/${name}@2.0.0` }],
        vulnerabilities: [{ id: cve, affects: [{ ref: 'a' }], analysis: { state } }],
      });
      expect(status).toBe(200);
    };
    await upload('exploitable');
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/^SBOMs of 1 projects state it/));
    await upload('not_affected');
    expect(await coverageOf(organisation, cve)).toMatchObject({ status: 'not_affected' });
  });

  test('where its only advisory is withdrawn', async () => {
    const { organisation, name } = await coveredOrganisation();
    const cve = unique.cve();
    await loadCovering(
      service,
      ['npm'],
      record(unique.name(), name, { aliases: [cve], modified, withdrawn: daysAgo(1) }),
    );
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/is withdrawn/));
  });

  test('where its advisory does not say which versions are affected', async () => {
    const { organisation, name } = await coveredOrganisation();
    const cve = unique.cve();
    const affected = [{ package: { ecosystem: 'npm', name }, ranges: [], database_specific: {} }];
    await loadCovering(service, ['npm'], record(unique.name(), name, { aliases: [cve], modified, affected }));
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/does not say which versions are affected$/));
  });

  test('where a stack’s version cannot be compared, or its alert is not there yet', async () => {
    const { organisation, cve, name } = await coveredOrganisation();
    const setVersion = (version: string) =>
      database.system((tx) =>
        sql`update tech_stack_items set version = ${version} where package_name = ${name}`.execute(tx),
      );
    await setVersion('latest');
    expect(await coverageOf(organisation, cve)).toMatchObject(unknown(/latest: the version cannot be compared$/));
    await setVersion('1.0.0');
    expect(await coverageOf(organisation, cve)).toMatchObject(
      unknown(/1\.0\.0 is affected; its alert is not there yet$/),
    );
  });

  test('where a record that cannot be read is about a package of a stack', async () => {
    const { organisation, cve, name } = await coveredOrganisation();
    const [feed, other] = [unique.name(), unique.name()];
    await database.system(async (tx) => {
      await sql`insert into feeds (name, loaded_at, records, covers, named, unread, content_hash)
        values (${feed}, now(), 1, '{}', '{npm}', 2, '\\x00')`.execute(tx);
      await sql`insert into unread_records (feed, place, at, field, problem, packages)
        values (${feed}, 1, 'line 1', 'x', 'y', ${[`npm ${other}`]}::text[]),
          (${feed}, 2, 'line 2', 'x', 'y', ${[`npm ${name}`]}::text[])`.execute(tx);
    });
    expect(await coverageOf(organisation, cve)).toMatchObject(
      unknown(new RegExp(`^${feed}: 1 record is about these packages and cannot be read$`)),
    );
    await database.system((tx) => sql`delete from feeds where name = ${feed}`.execute(tx));
    expect(await coverageOf(organisation, cve)).toMatchObject({ status: 'not_affected' });
  });
});

test('rows that are open make it affected, whatever is missing; those that are resolved do not make it not affected', async () => {
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'shop');
  const scans = inProject(service, organisation.writeKey, project, organisation);
  const cve = unique.cve();
  await scans.scan(trivyReport('acme/shop:1', [vulnerability(cve, 'libc6')]));
  const ask = async () => (await get(service, organisation, `/api/intelligence/exposed?cve=${cve}`)).body;
  expect(await ask()).toMatchObject({ total: 1, coverage: { status: 'affected', known: true } });
  await scans.scan(listingPackages(trivyReport('acme/shop:1', [])));
  expect(await ask()).toMatchObject({ total: 1, items: [{ status: 'resolved' }], coverage: { status: 'unknown' } });
});
