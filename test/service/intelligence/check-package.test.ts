import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { loadCovering } from '../coverage/covering-feed.js';
import { cvssOf, get, loadRecords, record, unique } from './organisation.js';

let service: TestService;
let organisation: TestOrganisation;
beforeAll(async () => {
  const database = await ownDatabase();
  await loadCovering(database, ['npm', 'PyPI', 'crates.io']);
  service = await startService({ database });
  organisation = await service.newOrganisation({ plan: 'Free' });
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

const check = (query: Record<string, string>) =>
  get(service, organisation, `/api/intelligence/package?${new URLSearchParams(query)}`);
const npm = (name: string, version = '1.0.0') => check({ ecosystem: 'npm', name, version });
const ids = (body: unknown) => [at(body, 'advisories')].flat().map((advisory) => at(advisory, 'id'));

const critical = cvssOf('AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
const high = cvssOf('AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H');

const score = (cve: string, probability: number) =>
  service.database.system((tx) =>
    tx.insertInto('epss').values({ cve, probability, percentile: 0.5, scored_on: '2025-08-15', model: 'v9' }).execute(),
  );

describe('the advisories of a version', () => {
  test('have titles of a bounded length', async () => {
    const name = unique.name();
    await loadRecords(service, record(randomUUID(), name, { summary: 'Long '.repeat(40_000) }));
    const { body } = await npm(name);
    expect(String(at(body, 'advisories.0.title'))).toMatch(/^Long Long .{1,290}$/);
  });

  test('come worst first: known exploited, by tier, by EPSS, by CVSS, by id', async () => {
    const name = unique.name();
    const prefix = randomUUID();
    const [kev, likely, unlikely] = [unique.cve(), unique.cve(), unique.cve()];
    await loadRecords(
      service,
      record(`${prefix}-f-label`, name, { database_specific: { severity: 'LOW' } }),
      record(`${prefix}-e-label`, name, { database_specific: { severity: 'LOW' } }),
      record(`${prefix}-d-high`, name, { ...high, aliases: [unlikely] }),
      record(`${prefix}-c-critical`, name, critical),
      record(`${prefix}-b-likely`, name, { ...high, aliases: [likely] }),
      record(`${prefix}-a-kev`, name, { aliases: [kev] }),
    );
    await score(likely, 0.4);
    await score(unlikely, 0.001);
    await service.database.system((tx) =>
      tx.insertInto('kev').values({ cve: kev, date_added: '2025-02-03', due_date: null, ransomware: true }).execute(),
    );
    const { body } = await npm(name);
    expect(ids(body)).toEqual(
      ['a-kev', 'b-likely', 'c-critical', 'd-high', 'e-label', 'f-label'].map((id) => `${prefix}-${id}`),
    );
    expect(at(body, 'advisories.0')).toMatchObject({
      cves: [kev],
      tier: 'RED',
      kev: { date_added: '2025-02-03', due_date: null, ransomware: true },
    });
    expect(at(body, 'advisories.1')).toMatchObject({
      title: `summary of ${prefix}-b-likely`,
      tier: 'RED',
      severity: 'high',
      cvss: { version: '3.1', score: 7.5 },
      epss: { probability: 0.4, percentile: 0.5, date: '2025-08-15' },
      kev: null,
      malicious: false,
    });
    expect(body).toMatchObject({
      total: 6,
      safe_version: '2.0.0',
      package: { ecosystem: 'npm', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` },
    });
  });

  test('of several CVEs the likeliest gives the EPSS', async () => {
    const [name, low, top] = [unique.name(), unique.cve(), unique.cve()];
    await loadRecords(service, record(randomUUID(), name, { aliases: [low, top] }));
    await score(low, 0.1);
    await score(top, 0.2);
    expect(at((await npm(name)).body, 'advisories.0.epss')).toMatchObject({ probability: 0.2 });
  });

  test('are at most 25, with the total of all', async () => {
    const name = unique.name();
    await loadRecords(service, ...Array.from({ length: 27 }, () => record(randomUUID(), name)));
    const { body } = await npm(name);
    expect([ids(body).length, at(body, 'total')]).toEqual([25, 27]);
  });

  test('are those that affect it', async () => {
    const name = unique.name();
    const taken = record(randomUUID(), name, { withdrawn: '2025-03-01T00:00:00Z' });
    await loadRecords(service, record(randomUUID(), name), taken);
    expect(at((await npm(name)).body, 'total')).toBe(1);
    expect((await npm(name, '2.0.0')).body).toMatchObject({ total: 0, safe_version: '2.0.0' });
  });

  test('have an address that people can read', async () => {
    const name = unique.name();
    const references = [{ type: 'WEB', url: 'https://example.com/a' }];
    await loadRecords(
      service,
      record(`GHSA-${name}`, name, { references }),
      record(`OWN-${name}`, name, { references }),
    );
    expect([at((await npm(name)).body, 'advisories')].flat().map((advisory) => at(advisory, 'url'))).toEqual([
      `https://github.com/advisories/GHSA-${name}`,
      'https://example.com/a',
    ]);
  });
});

test('nothing known is said to be nothing known', async () => {
  const name = unique.name();
  expect((await npm(name)).body).toMatchObject({
    advisories: [],
    total: 0,
    health: { deprecated: null, unmaintained_since: null, malicious: false, replacement: null, source: null },
    safe_version: null,
    coverage: { status: 'unknown', known: false },
  });
});

test('malware and neglect show in the health; neglect is no vulnerability', async () => {
  const name = unique.name();
  const package_ = { package: { ecosystem: 'crates.io', name }, versions: ['1.0.0'] };
  await loadRecords(
    service,
    record(`MAL-${name}`, name, { affected: [package_] }),
    record(`RUSTSEC-${name}`, name, {
      affected: [{ ...package_, database_specific: { informational: 'unmaintained' } }],
    }),
    record(`RUSTSEC-${name}-n`, name, { affected: [{ ...package_, database_specific: { informational: 'notice' } }] }),
  );
  const { body } = await check({ purl: `pkg:cargo/${name}@1.0.0` });
  expect(ids(body)).toEqual([`MAL-${name}`]);
  expect(at(body, 'advisories.0')).toMatchObject({ tier: 'RED', malicious: true });
  expect(body).toMatchObject({
    health: { malicious: true, unmaintained_since: '2025-01-01', source: expect.stringContaining(`MAL-${name}`) },
    safe_version: null,
  });
});

test('names are compared as the registry does', async () => {
  const name = unique.name();
  await loadRecords(service, record(randomUUID(), name.toUpperCase(), {}, 'PyPI'));
  expect((await check({ purl: `pkg:pypi/${name.replaceAll('-', '_')}@1.0` })).body).toMatchObject({
    total: 1,
    safe_version: '2.0.0',
  });
});

test('a Go package is answered by the longest path that is known as a module, and one without a host by the standard library', async () => {
  const module = `example.org/${unique.name()}`;
  await loadRecords(service, record(randomUUID(), module, {}, 'Go'), record(randomUUID(), `${module}/v2`, {}, 'Go'));
  const answerOf = async (path: string) => (await check({ purl: `pkg:golang/${path}@v1.0.0` })).body;
  expect(await answerOf(`${module}/ssh/agent`)).toMatchObject({
    ...{ total: 1, package: { name: module }, package_path: `${module}/ssh/agent` },
  });
  expect(await answerOf(`${module}/v2/ssh`)).toMatchObject({ total: 1, package: { name: `${module}/v2` } });
  expect(await answerOf(module)).toMatchObject({ total: 1, package: { name: module }, package_path: null });
  expect(await answerOf('net/http')).toMatchObject({ package: { name: 'stdlib' }, package_path: 'net/http' });
  expect(await answerOf('cmd/go')).toMatchObject({ package: { name: 'toolchain' }, package_path: 'cmd/go' });
  expect(await answerOf('example.org/nobody/knows')).toMatchObject({ total: 0, package_path: null });
});

test.each([
  [{ purl: 'pkg:npm/angular/core@1.0.0' }, 'purl', 'scope_without_at'],
  [{ purl: 'pkg:npm/lodash' }, 'purl', 'not_a_purl'],
  [{ purl: 'pkg:deb/debian/curl@7.50.3-1' }, 'purl', 'not_a_purl'],
  [{ purl: 'pkg:npm/lodash@not-a-version' }, 'purl', 'not_a_version'],
  [{ ecosystem: 'npm', name: 'lodash', version: 'latest' }, 'version', 'not_a_version'],
])('refuses %j', async (query, field, reason) => {
  const { status, body } = await check(query);
  expect([status, body]).toMatchObject([422, { code: 'invalid_input', errors: [{ field, reason }] }]);
});
