import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { environment } from '../../../src/env.js';
import type { Database } from '../../../src/service/db/database.js';
import { createRegistryLookup } from '../../../src/service/registries/registry-lookup.js';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { at } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService } from '../../support/service.js';
import { loadCovering } from '../coverage/covering-feed.js';
import { type Answer, startRegistry } from './registry-server.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());
beforeEach(() =>
  database.system((tx) =>
    tx
      .deleteFrom('registry_lookups')
      .execute()
      .then(() => undefined),
  ),
);

function lookupAt(url: string, timeoutMs = 20_000) {
  const lookup = createRegistryLookup({
    database,
    urls: Object.fromEntries(ecosystems.map((ecosystem) => [ecosystem, url])),
    timeoutMs,
  });
  onTestFinished(() => lookup.close());
  return (ecosystem: Ecosystem, name: string, version: string) =>
    lookup.find({ ecosystem, name, version }, async () => true);
}

const ok = { status: 200 };
const crates = '{"vers":"0.9.0"}\n{"vers":"1.0.0"}\n';
const packagist = JSON.stringify({ packages: { 'a/b': [{ version: 'v1.0.0' }, { version: '0.9.0' }] } });

describe('a registry is asked by the paths that it documents', () => {
  test.each<[Ecosystem, string, string, Record<string, Answer>]>([
    ['npm', '@scope/name', '1.0.0', { '/%40scope%2Fname/1.0.0': ok, '/%40scope%2Fname/latest': ok }],
    ['PyPI', 'My_Package', '1.0.0', { '/pypi/my-package/1.0.0/json': ok, '/pypi/my-package/json': ok }],
    [
      'Go',
      'github.com/Azure/x',
      '1.0.0',
      { '/github.com/!azure/x/@v/v1.0.0.info': ok, '/github.com/!azure/x/@v/list': ok },
    ],
    ['crates.io', 'Serde', '1.0.0', { '/se/rd/serde': { status: 200, body: crates } }],
    ['crates.io', 'abc', '1.0.0', { '/3/a/abc': { status: 200, body: crates } }],
    ['Maven', 'org.a:b', '1.0.0', { '/org/a/b/1.0.0/b-1.0.0.pom': ok, '/org/a/b/maven-metadata.xml': ok }],
    ['RubyGems', 'rack', '1.0.0', { '/api/v2/rubygems/rack/versions/1.0.0.json': ok, '/api/v1/gems/rack.json': ok }],
    ['NuGet', 'A.B', '1.0.0', { '/a.b/index.json': { status: 200, body: '{"versions":["1.0.0"]}' } }],
    ['Packagist', 'A/b', '1.0.0', { '/p2/a/b.json': { status: 200, body: packagist } }],
  ])('%s %s', async (ecosystem, name, version, answers) => {
    const find = lookupAt((await startRegistry(answers)).url);
    expect(await find(ecosystem, name, version)).toEqual({ kind: 'found', found: 'version' });
    expect(await find(ecosystem, name, '7.7.7')).toEqual({ kind: 'found', found: 'package' });
    expect(await find(ecosystem, `${name}x`, version)).toEqual({ kind: 'found', found: 'nothing' });
  });
});

test('its answers are remembered, what is there longer than what is not', async () => {
  const registry = await startRegistry({ '/a/1.0.0': ok });
  const find = lookupAt(registry.url);
  for (const name of ['a', 'b', 'a', 'b']) await find('npm', name, '1.0.0');
  expect(registry.asked).toEqual(['/a/1.0.0', '/b/1.0.0', '/b/latest']);
  const age = (days: number) =>
    database.system((tx) =>
      tx
        .updateTable('registry_lookups')
        .set({ looked_up_at: new Date(Date.now() - days * 86_400_000) })
        .execute(),
    );
  await age(2);
  for (const name of ['a', 'b']) await find('npm', name, '1.0.0');
  expect(registry.asked.slice(3)).toEqual(['/b/1.0.0', '/b/latest']);
  await age(31);
  await find('npm', 'a', '1.0.0');
  expect(registry.asked.slice(5)).toEqual(['/a/1.0.0']);
});

test('one question asked many times at once is one', async () => {
  const registry = await startRegistry({ '/a/1.0.0': ok });
  const find = lookupAt(registry.url);
  await Promise.all(Array.from({ length: 20 }, () => find('npm', 'a', '1.0.0')));
  expect(registry.asked).toEqual(['/a/1.0.0']);
});

test.each<[string, Answer, string]>([
  ['fails', { status: 503 }, 'answered HTTP 503'],
  ['redirects', { status: 302 }, 'answered HTTP 302'],
  ['is silent', 'silence', 'took too long'],
  ['answers nonsense', { status: 200, body: 'hello' }, 'answered something else than expected'],
  ['answers without end', { status: 200, body: 'x'.repeat(16 * 1024 * 1024 + 1) }, 'answered more than 16 MB'],
])('one that %s is no error, and nothing is remembered', async (_, answer, reason) => {
  const registry = await startRegistry({ '/a/index.json': answer });
  const find = lookupAt(registry.url, answer === 'silence' ? 200 : 20_000);
  expect(await find('NuGet', 'a', '1.0.0')).toEqual({ kind: 'failed', reason });
  expect(await database.system((tx) => tx.selectFrom('registry_lookups').selectAll().execute())).toEqual([]);
});

test('a name that would lead elsewhere is not asked for', async () => {
  const registry = await startRegistry({});
  const find = lookupAt(registry.url);
  for (const name of ['..', 'a/../b', 'a//b']) {
    expect(await find('Go', name, '1.0.0')).toEqual({ kind: 'found', found: 'nothing' });
  }
  expect(registry.asked).toEqual([]);
});

describe('check_package', () => {
  test('asks for what nothing here knows, holds no transaction meanwhile, and says what was answered', async () => {
    await loadCovering(database, ['npm']);
    const registry = await startRegistry({
      '/there/1.0.0': ok,
      '/down/1.0.0': { status: 500 },
      '/slow/1.0.0': 'silence',
    });
    const registries = createRegistryLookup({ database, urls: { npm: registry.url }, timeoutMs: 20_000 });
    const service = await startService({ database, registries });
    onTestFinished(async () => {
      await service.close();
      await registries.close();
    });
    const { readKey } = await service.newOrganisation();
    const check = async (name: string) =>
      (
        await service.call(
          readKey,
          'GET',
          `/api/intelligence/package?purl=${encodeURIComponent(`pkg:npm/${name}@1.0.0`)}`,
        )
      ).body;
    const waiting = check('slow');
    await eventually(() => expect(registry.asked).toContain('/slow/1.0.0'));
    expect(await check('there')).toMatchObject({
      safe_version: '1.0.0',
      coverage: { status: 'not_affected', known: true, gaps: [] },
    });
    expect(await check('absent')).toMatchObject({ safe_version: null, coverage: { status: 'unknown', known: false } });
    expect(at(await check('absent'), 'coverage.gaps')).toContain('the registry of npm has no package of this name');
    expect(at(await check('down'), 'coverage.gaps')).toContain('the registry of npm answered HTTP 500');
    await registries.close();
    expect(await waiting).toMatchObject({ coverage: { status: 'unknown' } });
  });

  test('does not ask for a version that the advisories know', async () => {
    const registry = await startRegistry({});
    const lookup = createRegistryLookup({ database, urls: { npm: registry.url } });
    onTestFinished(() => lookup.close());
    expect(await lookup.find({ ecosystem: 'npm', name: 'a', version: '1.0.0' }, async () => false)).toBeNull();
    expect(registry.asked).toEqual([]);
  });
});

describe('the settings', () => {
  const urls = (text: string) => environment.parse({ REGISTRY_URLS: text }).REGISTRY_URLS;

  test('take mirrors by ecosystem, and are off by default', () => {
    expect(environment.parse({})).toMatchObject({ REGISTRY_LOOKUP: false, REGISTRY_URLS: {} });
    expect(urls(' npm=https://mirror.example/npm , pypi=http://127.0.0.1:8080')).toEqual({
      npm: 'https://mirror.example/npm',
      PyPI: 'http://127.0.0.1:8080',
    });
  });

  test.each(['npm', 'npm=', 'npm=http://mirror.example', 'deb=https://a.example', 'npm=https://u:p@a.example'])(
    'refuse %j',
    (text) => {
      expect(() => urls(text)).toThrow('takes ecosystem=https://host/path');
    },
  );
});

test('no more than 50,000 answers are remembered: the oldest are forgotten', async () => {
  const registry = await startRegistry({ '/new': ok });
  await database.system((tx) =>
    sql`
      insert into registry_lookups (ecosystem, package_name, version, found, looked_up_at)
      select 'npm', 'known-' || n, '1.0.0', 'nothing', now() - n * interval '1 second' from generate_series(1, 50100) as n`
      .execute(tx)
      .then(() => undefined),
  );
  await lookupAt(registry.url)('npm', 'new', '1.0.0');
  const rows = await database.system((tx) => tx.selectFrom('registry_lookups').select('package_name').execute());
  const names = new Set(rows.map(({ package_name }) => package_name));
  expect(names.size).toBe(50_000);
  expect([names.has('new'), names.has('known-1'), names.has('known-50100')]).toEqual([true, true, false]);
});
