import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exposedRows } from '../../../src/service/intelligence/exposed-rows.js';
import { removeDeletedProjects } from '../../../src/service/projects/removed-projects.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { grypeMatch, grypeReport } from '../scanners/grype/grype-report.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { listingPackages, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../scanners/zap/zap-report.js';
import { get, loadRecords, newProject, record, track, unique } from './organisation.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const names = (body: unknown) => [at(body, 'items')].flat().map((row) => at(row, 'project_name'));

test('every project with an alert for the CVE, resolved ones last, by name, and of no other organisation', async () => {
  const [organisation, stranger] = [await service.newOrganisation(), await service.newOrganisation()];
  const [name, cve] = [unique.name(), unique.cve()];
  const projects = new Map<string, string>();
  for (const project of ['Beta', 'alpha', 'fixed', 'unaffected'])
    projects.set(project, await newProject(service, organisation, project));
  const idOf = (project: string) => projects.get(project) ?? '';
  const old = { ecosystem: 'npm', name, version: '1.0.0' };
  await track(service, organisation, idOf('Beta'), old);
  await track(service, organisation, idOf('alpha'), old);
  const item = await track(service, organisation, idOf('fixed'), old);
  await track(service, organisation, idOf('unaffected'), { ...old, version: '2.0.0' });
  await track(service, stranger, await newProject(service, stranger, 'theirs'), old);

  const { alerts } = await loadRecords(service, record(randomUUID(), name, { aliases: [cve] }));
  expect(alerts).toEqual({ opened: 4, reopened: 0, resolved: 0, updated: 0 });
  await service.call(organisation.writeKey, 'DELETE', `/api/projects/${idOf('fixed')}/tech-stack/${item}`);

  const { status, body } = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}`);
  expect(status).toBe(200);
  expect(names(body)).toEqual(['alpha', 'Beta', 'fixed']);
  expect(at(body, 'items.0')).toMatchObject({
    project_id: idOf('alpha'),
    package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` },
    versions: ['1.0.0'],
    tier: 'YELLOW',
    status: 'open',
  });
  expect(at(body, 'items.2')).toMatchObject({ status: 'resolved' });

  const second = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}&page=2&page_size=2`);
  expect(second.body).toMatchObject({ items: [{ project_name: 'fixed' }], total: 3, has_more: false, page: 2 });
});

test.each(['GHSA-1', 'CVE-2021', 'lodash', 'CVE-2021-44228 or so', '44228', 'hello-world', '%20'])(
  'what is no id of a vulnerability is refused, with what would be right: %s',
  async (junk) => {
    const organisation = await service.newOrganisation();
    const { status, body } = await get(service, organisation, `/api/intelligence/exposed?cve=${junk}`);
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'cve' }] }]);
    expect(JSON.stringify(body)).toContain('such as CVE-2021-44228, GHSA-jfh8-c2jp-5v3q');
  },
);

describe('any name of a vulnerability finds it', () => {
  const ghsa = () => `GHSA-${Array.from({ length: 3 }, () => letters(4)).join('-')}`;
  const letters = (count: number) =>
    Array.from({ length: count }, () => '23456789cfghjmpqrvwx'[Math.floor(Math.random() * 20)]).join('');

  test('its CVE, each advisory that names it, in any case, with space around', async () => {
    const organisation = await service.newOrganisation();
    const [name, other, cve, first] = [unique.name(), unique.name(), unique.cve(), ghsa()];
    const [go, rust] = [`GO-1991-${Date.now()}`, `RUSTSEC-1991-${Date.now()}`];
    const project = await newProject(service, organisation, 'shop');
    await track(service, organisation, project, { ecosystem: 'npm', name, version: '1.0.0' });
    await track(service, organisation, project, { ecosystem: 'npm', name: other, version: '1.0.0' });
    // As in real databases: RustSec names the GHSA alone, and the GHSA the CVE.
    await loadRecords(
      service,
      record(first, name, { aliases: [cve] }),
      record(rust, other, { aliases: [first] }),
      record(go, unique.name(), { aliases: [cve, first] }),
    );
    for (const asked of [cve, cve.toLowerCase(), first, first.toUpperCase(), go, rust.toLowerCase(), ` ${cve} `]) {
      const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${encodeURIComponent(asked)}`);
      expect([asked, at(body, 'total')]).toEqual([asked, 2]);
    }
  });

  test('and not what only shares an advisory with it', async () => {
    const organisation = await service.newOrganisation();
    const [name, cve, sibling, first, second] = [unique.name(), unique.cve(), unique.cve(), ghsa(), ghsa()];
    const both = `GO-1991-${Date.now()}`;
    const project = await newProject(service, organisation, 'shop');
    await track(service, organisation, project, { ecosystem: 'npm', name, version: '1.0.0' });
    await loadRecords(
      service,
      record(first, unique.name(), { aliases: [cve] }),
      record(second, name, { aliases: [sibling] }),
      record(both, unique.name(), { aliases: [cve, sibling, first, second] }),
    );
    const totalOf = async (asked: string) =>
      at((await get(service, organisation, `/api/intelligence/exposed?cve=${asked}`)).body, 'total');
    expect([await totalOf(sibling), await totalOf(second), await totalOf(cve), await totalOf(first)]).toEqual([
      1, 1, 0, 0,
    ]);
  });
});

describe('findings about it are among the rows', () => {
  test('of images, code and running applications, worst first, what is fixed last', async () => {
    const scanned = await newScannedProject(service);
    const { organisation, projectId } = scanned;
    const images = inProject(service, scanned.key, projectId, organisation);
    const cve = unique.cve();
    const os = vulnerability(cve, 'libc6', { Severity: 'CRITICAL', InstalledVersion: '2.36' });
    const npm = vulnerability('CVE-1990-7', 'minimist', { Severity: 'LOW' });
    await images.scan(trivyReport('acme/shop:1', [os], [npm]));
    await images.scan(trivyReport('acme/old:1', [os]));
    await images.scan(listingPackages(trivyReport('acme/old:1', [])));
    const rule = result(1, { ruleId: cve, message: { text: `A fix was incomplete: CVE-1990-8` } }, 'package.json');
    const named = result(7, { message: { text: `uses a library with ${cve.toLowerCase()}.` } }, 'src/b.ts');
    const other = result(9, { message: { text: `${cve}7 is another one` } }, 'src/c.ts');
    await scanned.uploadSarif(sarif(run([rule, named, other])));
    await scanned.uploadZap(
      zap(site('https://shop.example.com', alert('10003', '1', { name: `Old library (${cve})` }))),
    );

    const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${cve.toLowerCase()}`);
    const rows = [at(body, 'items')].flat();
    expect(at(body, 'total')).toBe(5);
    expect(rows.map((row) => [at(row, 'domain'), at(row, 'location'), at(row, 'status')])).toEqual([
      ['containers', 'docker.io/acme/shop:1', 'open'],
      ['code', 'package.json:1', 'open'],
      ['code', 'src/b.ts:7', 'open'],
      ['running_app', 'https://shop.example.com', 'open'],
      ['containers', 'docker.io/acme/old:1', 'resolved'],
    ]);
    expect(rows[0]).toMatchObject({
      alert_id: null,
      package: { ecosystem: null, name: 'libc6', purl: null },
      versions: ['2.36'],
      tier: 'RED',
      band: null,
    });
    const { body: other8 } = await get(service, organisation, '/api/intelligence/exposed?cve=CVE-1990-8888');
    expect(other8).toMatchObject({ total: 0 });
    const second = await get(service, organisation, `/api/intelligence/exposed?cve=${cve}&page=3&page_size=2`);
    expect(second.body).toMatchObject({ items: [{ status: 'resolved' }], total: 5, has_more: false });
    const stranger = await service.newOrganisation();
    const theirs = await get(service, stranger, `/api/intelligence/exposed?cve=${cve}`);
    expect(theirs.body).toMatchObject({ items: [], total: 0, coverage: { known: false } });
  });

  test('also where only the scanner knows the CVE of its own id, and after the finding’s text has changed', async () => {
    const scanned = await newScannedProject(service);
    const { organisation, projectId } = scanned;
    const [cve, later] = [unique.cve(), unique.cve()];
    const match = {
      ...grypeMatch('GHSA-jfh8-c2jp-5v3q', { name: 'minimist', type: 'npm', purl: 'pkg:npm/minimist@1.0.0' }),
      relatedVulnerabilities: [{ id: cve }],
    };
    await inProject(service, scanned.key, projectId, organisation).scan(grypeReport('acme/shop:1', [match]));
    const about = (text: string) =>
      sarif(run([result(1, { message: { text }, fingerprints: { own: 'a'.repeat(32) } })]));
    await scanned.uploadSarif(about(`see ${cve}`));
    const domains = async (asked: string) => {
      const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${asked}`);
      return [at(body, 'items')].flat().map((row) => at(row, 'domain'));
    };
    expect((await domains(cve)).sort()).toEqual(['code', 'containers']);
    await scanned.uploadSarif(about(`see ${later}`));
    expect([await domains(cve), await domains(later)]).toEqual([['containers'], ['code']]);
    await service.call(scanned.key, 'DELETE', `/api/projects/${projectId}`);
    await removeDeletedProjects(service.database);
    const { rows } = await service.database.system((tx) =>
      sql`select from finding_names where organisation_id = ${organisation.id}`.execute(tx),
    );
    expect(rows).toHaveLength(0);
  });

  test('by what the tags and rules of SARIF and the texts of ZAP name', async () => {
    const scanned = await newScannedProject(service);
    const [tagged, described, old] = [unique.cve(), unique.cve(), unique.cve()];
    const rules = [
      { id: 'R1', properties: { tags: ['security', tagged.toLowerCase()] } },
      { id: 'SNYK-JS-LODASH-590103', fullDescription: { text: `(${described}) lodash@4.17.11` } },
    ];
    const results = [result(1), result(2, { ruleId: 'SNYK-JS-LODASH-590103' })];
    await scanned.uploadSarif(sarif(run(results, {}, rules)));
    const library = alert('10003', '2', {
      otherinfo: `<p>${old}</p>`,
      tags: [{ tag: tagged, link: 'https://e.example' }],
    });
    await scanned.uploadZap(zap(site('https://shop.example.com', library)));
    for (const [asked, domains] of [
      [tagged, ['code', 'running_app']],
      [described, ['code']],
      ['snyk-js-lodash-590103', ['code']],
      [old, ['running_app']],
    ] as const) {
      const { body } = await get(service, scanned.organisation, `/api/intelligence/exposed?cve=${asked}`);
      expect([
        asked,
        [at(body, 'items')]
          .flat()
          .map((row) => at(row, 'domain'))
          .sort(),
      ]).toEqual([asked, domains]);
    }
  });

  test('and by an index among 20,000, under row-level security', async () => {
    const { organisation, projectId } = await newScannedProject(service);
    const prefix = unique.cve();
    await service.database.system(async (tx) => {
      await sql`
        insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity, tier,
          state, named, details, first_seen_at, last_seen_at, turns)
        select ${organisation.id}, ${projectId}, ${projectId} || n, 'code', 'repo', 'any', decode(lpad(to_hex(n), 64, '0'), 'hex'),
          'R' || n, 'any', 'low', 'GREEN', 'open', array[${prefix} || n],
          '{"message": "any", "file": null, "line": null, "cwes": [], "help_url": null}', now(), now(), turn('{}', now())
        from generate_series(1, 20000) n`.execute(tx);
      await sql`analyze findings`.execute(tx);
      await sql`analyze finding_names`.execute(tx);
    });
    const plan = await service.database.tenant(organisation.id, async (tx) => {
      // The few projects of this test may be read in whole; the findings may not.
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql`explain (format json) ${exposedRows({ organisationId: organisation.id }, { ids: [`${prefix}7`], otherCves: [] })}`.execute(
        tx,
      );
    });
    const text = JSON.stringify(plan.rows);
    expect(text).toContain('findings_of_rule');
    expect(text).toContain('finding_names_pkey');
    expect(text).not.toContain('Seq Scan');
    const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${prefix}7`);
    expect(body).toMatchObject({ total: 1, items: [{ domain: 'code', location: 'repo' }] });
  });
});

test('among 20,000 alerts a CVE’s are found by an index, under row-level security', async () => {
  const organisation = await service.newOrganisation();
  const projectId = await newProject(service, organisation, 'large');
  const prefix = unique.cve();
  const plan = await service.database
    .system(async (tx) => {
      await sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, turns)
      select ${organisation.id}, ${projectId}, ${projectId} || n, ${prefix} || n, 'npm', 'any', '{any}',
        array[${prefix} || n], 'any', '{}', false, 'GREEN', turn('{}', now())
      from generate_series(1, 20000) n`.execute(tx);
      await sql`analyze alerts`.execute(tx);
    })
    .then(() =>
      service.database.tenant(organisation.id, (tx) =>
        sql`explain (format json) ${exposedRows({ organisationId: organisation.id }, { ids: [`${prefix}7`], otherCves: [] })}`.execute(
          tx,
        ),
      ),
    );
  expect(JSON.stringify(plan.rows)).toContain('alerts_by_vulnerability');
  const { body } = await get(service, organisation, `/api/intelligence/exposed?cve=${prefix}7`);
  expect(body).toMatchObject({ total: 1, items: [{ project_name: 'large' }] });
});
