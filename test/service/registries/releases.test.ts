import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { createRegistryLookup } from '../../../src/service/registries/registry-lookup.js';
import { loadReleases } from '../../../src/service/registries/releases.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { ownDatabase } from '../../support/own-database.js';
import { type Answer, startRegistry } from './registry-server.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.system((tx) => sql`delete from registry_versions`.execute(tx).then(() => undefined)));

/** Asks a registry with these answers for the list of a package; false where there is none. */
async function learn(ecosystem: Ecosystem, name: string, answers: Readonly<Record<string, Answer>>) {
  const { url } = await startRegistry(answers);
  const lookup = createRegistryLookup({ database, urls: { [ecosystem]: url }, timeoutMs: 20_000 });
  onTestFinished(() => lookup.close());
  return lookup.list({ ecosystem, package_name: name, name }, new AbortController().signal);
}

async function releasesOf(ecosystem: Ecosystem, name: string, now = new Date()) {
  const loaded = await database.system((tx) => loadReleases(tx, [{ ecosystem, package_name: name }], now));
  return loaded.get(`${ecosystem} ${name}`);
}

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const ok = (document: unknown): Answer => ({ status: 200, body: JSON.stringify(document) });
const plain = { dependencies: {}, deprecated: false, node: null };

describe('what a registry says of releases is read back', () => {
  test('npm', async () => {
    const versions = {
      '1.0.0': { dependencies: { a: '^1.0.0' }, deprecated: 'old' },
      '1.1.0': { dependencies: { a: '^1.0.0', b: 'npm:real@2' }, engines: { node: '>= 20' } },
      '1.2.0-rc.1': 'odd',
    };
    expect(await learn('npm', 'x', { '/x': ok({ versions, 'dist-tags': { latest: '1.1.0' } }) })).toBe(true);
    const releases = await releasesOf('npm', 'x');
    expect([releases?.latest, releases?.versions]).toEqual(['1.1.0', ['1.1.0', '1.0.0', '1.2.0-rc.1']]);
    expect(releases?.release('1.0.0')).toEqual({
      ...{ version: '1.0.0', dependencies: { a: '^1.0.0' }, deprecated: true, node: null },
    });
    expect(releases?.release('1.1.0')).toEqual({
      ...{ version: '1.1.0', dependencies: { a: '^1.0.0', real: '2' }, deprecated: false, node: '>= 20' },
    });
    expect(releases?.release('1.2.0-rc.1')).toEqual({ ...plain, version: '1.2.0-rc.1', dependencies: null });
    expect(releases?.release('9.0.0')).toBeUndefined();
  });

  test('crates.io', async () => {
    const deps = [{ name: 'a', req: '^1', kind: 'normal' }];
    const lines = [
      { vers: '1.0.0', deps },
      { vers: '1.1.0', deps, yanked: true },
    ].map((line) => JSON.stringify(line));
    await learn('crates.io', 'x', { '/1/x': { status: 200, body: lines.join('\n') } });
    const releases = await releasesOf('crates.io', 'x');
    expect(releases?.versions).toEqual(['1.0.0']);
    expect(releases?.release('1.0.0')).toEqual({ ...plain, version: '1.0.0', dependencies: { a: '^1' } });
    expect(releases?.release('1.1.0')).toBeUndefined();
  });

  test('Packagist', async () => {
    const list = [{ version: 'v1.1.0', require: { 'c/d': '^1' } }, { version: 'v1.0.0' }];
    await learn('Packagist', 'a/b', { '/p2/a/b.json': ok({ packages: { 'a/b': list }, minified: 'composer/2.0' }) });
    const releases = await releasesOf('Packagist', 'a/b');
    expect(releases?.release('v1.0.0')).toEqual({ ...plain, version: 'v1.0.0', dependencies: { 'c/d': '^1' } });
  });

  test('an ecosystem whose lists say nothing of releases has versions alone', async () => {
    await learn('RubyGems', 'x', { '/api/v1/versions/x.json': ok([{ number: '1.0.0' }]) });
    const releases = await releasesOf('RubyGems', 'x');
    expect(releases?.versions).toEqual(['1.0.0']);
    expect(releases?.release('1.0.0')).toEqual({ ...plain, version: '1.0.0', dependencies: null });
  });
});

test('a list is believed for seven days, and a package without one is not there', async () => {
  await learn('npm', 'x', { '/x': ok({ versions: { '1.0.0': {} } }) });
  await learn('npm', 'absent', {});
  expect(await releasesOf('npm', 'x', inDays(6.9))).toBeDefined();
  expect(await releasesOf('npm', 'x', inDays(7.1))).toBeUndefined();
  expect(await releasesOf('npm', 'absent')).toBeUndefined();
  expect(await releasesOf('npm', 'unknown')).toBeUndefined();
  expect(await database.system((tx) => loadReleases(tx, [], new Date()))).toEqual(new Map());
});

test('a failure leaves the list of an earlier day as it was', async () => {
  await learn('npm', 'x', { '/x': ok({ versions: { '1.0.0': { dependencies: { a: '1' } } } }) });
  for (const answer of [{ status: 503 }, { status: 200, body: 'hello' }]) {
    expect(await learn('npm', 'x', { '/x': answer })).toBe(false);
  }
  expect((await releasesOf('npm', 'x'))?.release('1.0.0')?.dependencies).toEqual({ a: '1' });
});

test('a document of 20 MB is refused, and costs no other package its list', async () => {
  const versions = { '1.0.0': { readme: 'x'.repeat(20 * 1024 * 1024) } };
  expect(await learn('npm', 'x', { '/x': ok({ versions }) })).toBe(false);
  expect(await releasesOf('npm', 'x')).toBeUndefined();
});

describe('a large document is read by a thread', () => {
  const large = { readme: 'x'.repeat(1024 * 1024) };

  test('as a small one is', async () => {
    const versions = { '1.0.0': { dependencies: { a: '1' } }, '1.1.0': large };
    expect(await learn('npm', 'x', { '/x': ok({ versions, 'dist-tags': { latest: '1.1.0' } }) })).toBe(true);
    const releases = await releasesOf('npm', 'x');
    expect([releases?.latest, releases?.versions]).toEqual(['1.1.0', ['1.1.0', '1.0.0']]);
    expect(releases?.release('1.0.0')).toEqual({ ...plain, version: '1.0.0', dependencies: { a: '1' } });
  });

  test.each([
    ['of another shape', JSON.stringify(large)],
    ['of too many levels', `{"versions":${'['.repeat(2_000_000)}`],
    ['of very many values', `{"a":[${'{},'.repeat(5_000_000)}{}]}`],
  ])('one %s gives no list, and the next one is read', async (_, body) => {
    expect(await learn('npm', 'x', { '/x': { status: 200, body } })).toBe(false);
    expect(await learn('npm', 'y', { '/y': ok({ versions: { '1.0.0': large } }) })).toBe(true);
    expect([await releasesOf('npm', 'x'), (await releasesOf('npm', 'y'))?.versions]).toEqual([undefined, ['1.0.0']]);
  });
});

test('of a package with very many releases the facts of the newest are kept, and the others are not known', async () => {
  const many = Array.from({ length: 2_600 }, (_, n) => {
    // Each of them asks for other versions, as those of a monorepo do.
    const binaries = Array.from({ length: 10 }, (__, k) => [`@scope/binary-of-platform-${k}`, `1.${n}.0`]);
    return [`1.${n}.0`, { optionalDependencies: Object.fromEntries(binaries) }] as const;
  });
  await learn('npm', 'x', { '/x': ok({ versions: Object.fromEntries(many) }) });
  const { rows } = await database.system((tx) =>
    sql<{ bytes: number }>`select octet_length(releases) as bytes from registry_versions`.execute(tx),
  );
  expect(rows[0]?.bytes).toBeLessThanOrEqual(300_000);
  expect(rows[0]?.bytes).toBeGreaterThan(299_000);
  const releases = await releasesOf('npm', 'x');
  expect(releases?.versions).toHaveLength(2_600);
  const needs = releases?.versions.map((version) => releases.release(version)?.dependencies);
  const known = needs?.indexOf(null) ?? 0;
  expect(known).toBeGreaterThan(500);
  expect(needs?.[known - 1]).toEqual(many.at(-known)?.[1].optionalDependencies);
  expect(needs?.slice(known).every((each) => each === null)).toBe(true);
});

test('the lists of 2,000 packages are one query', async () => {
  await database.system((tx) =>
    sql`
      insert into registry_versions (ecosystem, package_name, versions, releases, looked_up_at)
      select 'npm', 'p' || n, '{1.0.0}', '[{"needs":{"q":"^' || n || '"}}]', now() from generate_series(1, 2000) as n`
      .execute(tx)
      .then(() => undefined),
  );
  const packages = Array.from({ length: 2_000 }, (_, n) => ({ ecosystem: 'npm' as const, package_name: `p${n + 1}` }));
  const loaded = await database.system((tx) => loadReleases(tx, packages, new Date()));
  expect(loaded.size).toBe(2_000);
  expect(loaded.get('npm p1999')?.release('1.0.0')?.dependencies).toEqual({ q: '^1999' });
});

/** Lists of an earlier day, and those that are kept when the next one comes. */
async function keptOf(rows: ReturnType<typeof sql>) {
  await database.system((tx) =>
    sql`insert into registry_versions (ecosystem, package_name, versions, looked_up_at, failed_at) ${rows}`
      .execute(tx)
      .then(() => undefined),
  );
  await learn('npm', 'new', { '/new': ok({ versions: { '1.0.0': {} } }) });
  const kept = await database.system((tx) => tx.selectFrom('registry_versions').select('package_name').execute());
  return new Set(kept.map(({ package_name }) => package_name));
}

test('no more than 20,000 lists are kept: the oldest are forgotten', async () => {
  const kept = await keptOf(sql`
    select 'npm', 'known-' || n, '{}'::text[], now() - n * interval '1 second', null from generate_series(1, 20100) as n`);
  expect(kept.size).toBe(20_000);
  expect(['new', 'known-1', 'known-20100'].map((name) => kept.has(name))).toEqual([true, true, false]);
});

test('a list that nobody has needed for a month is forgotten, not one that the registry has failed to give since', async () => {
  const kept = await keptOf(sql`
    values ('npm', 'unneeded', array['1.0.0'], now() - interval '31 days', null),
      ('npm', 'failed', array['1.0.0'], now() - interval '31 days', now() - interval '1 hour'),
      ('npm', 'never', array['1.0.0'], '1970-01-01', now() - interval '31 days'),
      ('npm', 'needed', array['1.0.0'], now() - interval '29 days', null)`);
  expect([...kept].sort()).toEqual(['failed', 'needed', 'new']);
});
