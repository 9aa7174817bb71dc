import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { maxFound, maxFoundCount, search } from '../../../../src/procedures/search.js';
import { at, textAt } from '../../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../../support/service.js';
import { advisory, storeAdvisory, unique } from '../../alerts/advisories.js';
import { result, run, sarif } from '../../scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../../scanners/trivy/trivy-report.js';
import { newProject, track } from '../organisation.js';

type Found = z.output<typeof search.output>;

let service: TestService;
let organisation: TestOrganisation;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

async function find(q: string, query = '', credential = organisation.readKey): Promise<Found> {
  const path = `/api/search?q=${encodeURIComponent(q)}${query}`;
  const { status, body } = await service.call(credential, 'GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return search.output.parse(body);
}

const upload = (projectId: string, path: string, report: unknown) =>
  service.call(organisation.writeKey, 'POST', `/api/projects/${projectId}/${path}`, report);

const project = (name: string) => newProject(service, organisation, name);
const npm = (name: string, version = '1.0.0') => ({ ecosystem: 'npm', name, version });
const none = { items: [], total: 0, has_more: false };

describe('a search', () => {
  test('finds projects by a part of their name in any case, the nearest first', async () => {
    for (const name of ['Web shop', 'shop', 'Shopping list', 'a blog']) await project(name);
    const { projects, ...others } = await find('SHOP');
    expect(projects.items.map(({ name }) => name)).toEqual(['shop', 'Shopping list', 'Web shop']);
    expect(projects).toMatchObject({
      total: 3,
      items: [{ exposure: 'unknown', alerts: { red: 0, yellow: 0, green: 0 } }, {}, {}],
    });
    expect(Object.values(others)).toEqual([none, none, none, none]);
    // What a pattern would mean is text here.
    expect((await find('sh_p')).projects.total).toBe(0);
    expect((await find('sh%p')).projects.total).toBe(0);
  });

  test('finds letters beyond ASCII as they are written', async () => {
    await project('Übung');
    expect((await find('Übung')).projects.total).toBe(1);
    expect((await find('bung')).projects.total).toBe(1);
  });

  test('finds tracked packages, with where they are and their unresolved alerts', async () => {
    const name = unique.packageName();
    const scored = { cvss_version: '3.1', cvss_score: 9.1, cvss_vector: 'any' };
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', scored));
    const [shop, blog] = [await project('shop'), await project('blog')];
    const item = await track(service, organisation, shop, npm(name));
    await track(service, organisation, blog, npm(name, '1.5.0'));
    await track(service, organisation, blog, npm(name, '2.0.0'));
    await track(service, organisation, blog, npm(`${name}-extra`));
    const { packages } = await find(name.slice(3).toUpperCase());
    expect(packages.total).toBe(2);
    expect(packages.items[0]).toMatchObject({
      ...{ ecosystem: 'npm', name, purl: `pkg:npm/${name}`, projects: 2, versions: 3 },
      alerts: { red: 2, yellow: 0, green: 0 },
    });
    const places = packages.items[0]?.places.map(({ project: { name: of }, version }) => `${of} ${version}`);
    // One of each project.
    expect(places).toEqual(['blog 1.5.0', 'shop 1.0.0']);
    expect(packages.items[0]?.places[1]).toMatchObject({ item_id: item, project: { id: shop } });
    expect((await find(`${name}@1.5.0`)).packages.total).toBe(2);
    const inShop = await find(name, `&project_id=${shop}`);
    expect(inShop.packages).toMatchObject({ total: 1, items: [{ projects: 1, versions: 1, alerts: { red: 1 } }] });
  });

  test('finds no package that is gone from every stack', async () => {
    const name = unique.packageName();
    const shop = await project('shop');
    const item = await track(service, organisation, shop, npm(name));
    expect((await find(name)).packages.total).toBe(1);
    await service.call(organisation.writeKey, 'DELETE', `/api/projects/${shop}/tech-stack/${item}`);
    expect((await find(name)).packages).toEqual(none);
    await track(service, organisation, shop, npm(name));
    expect((await find(name)).packages.total).toBe(1);
    await service.call(organisation.writeKey, 'DELETE', `/api/projects/${shop}`);
    expect((await find(name)).packages).toEqual(none);
  });

  test('finds a vulnerability by any of its ids in any case, and counts the projects with it', async () => {
    const [cve, name, ghsa] = [unique.cve(), unique.packageName(), `GHSA-${randomUUID()}`];
    await storeAdvisory(
      service.database,
      name,
      advisory(ghsa, '0', '2.0.0', { cves: [cve], severity: 'high', summary: 'A flaw' }),
    );
    expect((await find(cve.toLowerCase())).vulnerabilities).toMatchObject({
      total: 1,
      items: [
        { id: cve, aliases: [ghsa], title: 'A flaw', severity: 'high', kev: false, malicious: false, projects: 0 },
      ],
    });
    for (const of of ['shop', 'blog']) await track(service, organisation, await project(of), npm(name));
    for (const q of [cve, cve.toLowerCase(), ghsa.toUpperCase(), cve.slice(0, -3), cve.slice(6), ghsa.slice(5, 20)]) {
      const { vulnerabilities } = await find(q);
      expect(
        vulnerabilities.items.filter(({ id }) => id === cve),
        q,
      ).toMatchObject([{ projects: 2, aliases: [ghsa] }]);
    }
    expect((await find('CVE-1999-0000001')).vulnerabilities).toEqual(none);
  });

  test('finds the vulnerability of an image’s finding, which no advisory is about', async () => {
    const cve = unique.cve();
    await upload(
      await project('shop'),
      'containers/reports',
      trivyReport('acme/a:1', [vulnerability(cve, 'openssl', { Title: 'A flaw' })]),
    );
    const { vulnerabilities, findings } = await find(cve.toLowerCase());
    expect(vulnerabilities).toMatchObject({ total: 1, items: [{ id: cve, title: 'A flaw', projects: 1 }] });
    expect(findings).toMatchObject({ total: 1, items: [{ domain: 'containers', rule_id: cve, title: 'A flaw' }] });
  });

  test('finds images by a part of their ref', async () => {
    const shop = await project('shop');
    for (const ref of ['acme/node:1', 'acme/node:2', 'acme/redis:7']) {
      await upload(shop, 'containers/reports', trivyReport(ref, [vulnerability('CVE-1989-1', 'openssl')]));
    }
    const { images } = await find('ACME/Node');
    expect(images.items.map(({ ref }) => ref)).toEqual(['docker.io/acme/node:1', 'docker.io/acme/node:2']);
    const tiers = { red: 0, yellow: 1, green: 0 };
    expect(images).toMatchObject({ total: 2, items: [{ project: { id: shop, name: 'shop' }, tiers }, {}] });
  });

  test('finds findings by rule and by title: open ones first, the worst first', async () => {
    const shop = await project('shop');
    const mark = randomUUID();
    const rule = (id: string, level: string, line: number) => result(line, { ruleId: `${mark}.${id}`, level });
    const all = [rule('low', 'note', 1), rule('high', 'error', 2), rule('gone', 'error', 3)];
    await upload(shop, 'sast/reports?source_repo=shop', sarif(run(all)));
    await upload(shop, 'sast/reports?source_repo=shop', sarif(run(all.slice(0, 2))));
    const { findings } = await find(mark.toUpperCase());
    expect(findings.items.map(({ rule_id, state }) => [rule_id.slice(mark.length + 1), state])).toEqual([
      ['high', 'open'],
      ['low', 'open'],
      ['gone', 'fixed'],
    ]);
    expect(findings.items[0]).toMatchObject({ project: { id: shop, name: 'shop' }, domain: 'code', source: 'shop' });
    const title = findings.items[0]?.title ?? '';
    expect((await find(title)).findings.items.map(({ title: of }) => of)).toContain(title);
  });

  test('names a few of each kind, and counts up to a bound', async () => {
    const shop = await project('shop');
    const mark = randomUUID();
    const packages = Array.from({ length: maxFoundCount + 20 }, (_, nth) => ({ purl: `pkg:npm/${mark}-${nth}@1.0.0` }));
    await upload(shop, 'tech-stack/sync', { source: 'lock', packages });
    const found = await find(mark);
    expect([found.packages.items.length, found.packages.total]).toEqual([maxFound, maxFoundCount]);
    expect(found.packages.items[0]?.name).toBe(`${mark}-0`);
  });

  test('shows nothing of another organisation', async () => {
    const name = unique.packageName();
    const shop = await project(`shop ${name}`);
    await track(service, organisation, shop, npm(name));
    await upload(shop, 'containers/reports', trivyReport(`acme/${name}:1`, [vulnerability('CVE-1989-1', 'openssl')]));
    await upload(shop, 'sast/reports?source_repo=shop', sarif(run([result(1, { ruleId: name })])));
    expect(Object.values(await find(name)).filter(({ total }) => total === 1)).toHaveLength(4);
    const other = await service.newOrganisation();
    expect(Object.values(await find(name, '', other.readKey))).toEqual([none, none, none, none, none]);
    const { body } = await service.call(other.readKey, 'GET', `/api/search?q=${name}&project_id=${shop}`);
    expect(body).toMatchObject({ status: 404, resource: 'project' });
  });

  test('shows a key that is bound to projects nothing of others', async () => {
    const [name, ghsa] = [unique.packageName(), `GHSA-${randomUUID()}`];
    await storeAdvisory(service.database, name, advisory(ghsa, '0', '2.0.0'));
    const [shop, blog] = [await project(`shop ${name}`), await project(`blog ${name}`)];
    for (const id of [shop, blog]) {
      await track(service, organisation, id, npm(name));
      await upload(id, 'containers/reports', trivyReport(`acme/${name}:1`, [vulnerability('CVE-1989-1', 'openssl')]));
      await upload(id, 'sast/reports?source_repo=shop', sarif(run([result(1, { ruleId: name })])));
    }
    await track(service, organisation, shop, npm(`${name}-of-shop`));
    const made = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', {
      ...{ name: 'bound', scope: 'ReadOnly', project_ids: [blog] },
    });
    const bound = await find(name, '', textAt(made.body, 'key'));
    expect(bound.projects.items.map(({ id }) => id)).toEqual([blog]);
    expect(bound.packages).toMatchObject({
      total: 1,
      items: [{ projects: 1, alerts: { red: 0, yellow: 1, green: 0 } }],
    });
    expect([bound.images.total, bound.findings.total]).toEqual([1, 1]);
    const about = await find(ghsa, '', textAt(made.body, 'key'));
    expect(about.vulnerabilities.items).toMatchObject([{ projects: 1 }]);
    expect((await find(ghsa)).vulnerabilities.items).toMatchObject([{ projects: 2 }]);
  });

  test.each(['', ' ', 'x', ' x ', 'x'.repeat(201)])('for %j is refused', async (q) => {
    const { body } = await service.call(organisation.readKey, 'GET', `/api/search?q=${encodeURIComponent(q)}`);
    expect(body).toMatchObject({ status: 422, errors: [{ field: 'q' }] });
  });

  test('takes any text that is long enough', async () => {
    for (const q of [
      "'; drop table alerts",
      '%_\\',
      '\\x',
      '$1',
      '()[]{}',
      'pkg:npm/%40a/b',
      '🙂🙂',
      'a'.repeat(200),
    ]) {
      expect(at(await find(q), 'projects.total'), q).toBe(0);
    }
  });
});
