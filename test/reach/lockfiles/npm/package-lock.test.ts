import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readLockfile } from '../../../../src/reach/lockfiles/lockfile.js';
import { dataFile, hasData } from '../../../support/data.js';
import { folderWith } from '../../folder.js';
import { asksIn, byKey, rangesIn, readFrom, readReal } from '../reading.js';

const real = [
  ['nodegoat/package-lock.json', 1479],
  ['juice-shop/package-lock.generated-2026-11-21.json', 1350],
  ['juice-shop/ftp-package-lock.json.bak', 1967],
  ['mcp-conformance/package-lock.json', 369],
] as const;

/** What npm itself, another implementation, says of each package. */
const npmNodes = z.array(
  z.object({
    location: z.string(),
    name: z.string(),
    version: z.string(),
    dev: z.boolean().default(false),
    optional: z.boolean().default(false),
    devOptional: z.boolean().default(false),
    peer: z.boolean().default(false),
    to: z.array(z.string()),
    from: z.array(z.string()),
  }),
);

describe.skipIf(!hasData)('real package-lock.json files', () => {
  test.each(real)('%s agrees with npm on names, versions, scopes, edges and what is direct', async (path, count) => {
    const lock = readFileSync(dataFile(`lockfiles/${path}`), 'utf8');
    const { packages: entries } = z
      .object({ packages: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(lock));
    const { '': root, ...others } = entries;
    expect(Object.keys(others)).toHaveLength(count);

    const folder = folderWith({ 'package-lock.json': lock, 'package.json': JSON.stringify(root) });
    const npm = execFileSync('npm', ['query', '*', '--package-lock-only', '--offline'], {
      cwd: folder,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const nodes = npmNodes.parse(JSON.parse(npm.toString())).filter(({ location }) => location !== '');
    const { packages, skipped } = await readLockfile(join(folder, 'package-lock.json'));

    const expected = nodes.map(({ location, name, version, dev, optional, devOptional, peer, to, from }) => ({
      key: location,
      name,
      version,
      scope: dev ? 'development' : optional || devOptional ? 'optional' : 'runtime',
      peer,
      dependencies: [...to].sort(),
      direct: from.includes(''),
    }));
    const found = packages.map(({ key, name, version, scope, peer, dependencies, direct }) => ({
      key,
      name,
      version,
      scope,
      peer: peer ?? false,
      dependencies: [...dependencies].sort(),
      direct,
    }));
    const order = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
    expect(found).toHaveLength(count);
    expect(found.sort(order)).toEqual(expected.sort(order));
    expect(skipped).toEqual([]);
  });

  test('lockfileVersion 1 gives the packages that version 2 gives', async () => {
    const v2 = JSON.parse(readFileSync(dataFile('lockfiles/nodegoat/package-lock.json'), 'utf8'));
    const v1 = { ...v2, lockfileVersion: 1 };
    delete v1.packages;
    const both = {
      a: await readFrom({ 'package-lock.json': v2 }),
      b: await readFrom({ 'package-lock.json': v1, 'package.json': v2.packages[''] }),
    };
    const facts = (lockfile: typeof both.a) =>
      lockfile.packages
        .filter(({ name }) => name !== 'grunt-if')
        .map(({ key, name, version, scope, direct }) => `${key} ${name} ${version} ${scope} ${direct}`)
        .sort();
    expect(facts(both.b)).toEqual(facts(both.a));
    // Installed from a URL: version 1 has the URL in place of the version.
    expect(both.b.packages).toHaveLength(1478);
    expect(both.b.skipped).toEqual([{ reason: 'comes from a URL', count: 1 }]);
  });

  test.each(real)('%s: every edge has its range, and the locked version satisfies it', async (path) => {
    const read = await readReal(`lockfiles/${path}`, 'package-lock.json');
    const versions = new Map(read.packages.map(({ key, version }) => [key, version]));
    const edges = read.packages.flatMap(({ key, dependencies, ranges }) =>
      dependencies.map((needed) => ({ key, needed, version: versions.get(needed) ?? '', range: ranges?.get(needed) })),
    );
    expect(edges.length).toBeGreaterThan(500);
    expect(edges.filter(({ version, range = '' }) => range === '' || !satisfies(version, range, true))).toEqual([]);
  });

  test.each([
    [
      'nodegoat/package-lock.json',
      36,
      ['grunt-env: latest', 'grunt-if: https://github.com/binarymist/grunt-if/tarball/master'],
    ],
    ['juice-shop/package-lock.generated-2026-11-21.json', 116, []],
    // Its root asks for a version that it does not lock.
    ['juice-shop/ftp-package-lock.json.bak', 74, ['eslint-scope: 3.7.2']],
    ['mcp-conformance/package-lock.json', 25, []],
  ])('%s: the root has a range for each of what it asks for', async (path, count, others) => {
    const { packages } = await readReal(`lockfiles/${path}`, 'package-lock.json');
    const asked = packages.flatMap(({ name, version, asked: by = [] }) =>
      by.map((each) => ({ name, version, ...each })),
    );
    expect(asked).toHaveLength(count);
    expect(packages.filter(({ direct }) => direct)).toHaveLength(count);
    expect(new Set(asked.map(({ file }) => file))).toEqual(new Set(['package.json']));
    const taken = ({ version, range }: (typeof asked)[number]) => range !== null && satisfies(version, range, true);
    expect(asked.filter((each) => !taken(each)).map(({ name, range }) => `${name}: ${range}`)).toEqual(others);
  });

  test('deprecation texts are kept', async () => {
    const { packages } = await readReal('lockfiles/nodegoat/package-lock.json', 'package-lock.json');
    expect(packages.filter(({ deprecated }) => deprecated !== null)).toHaveLength(47);
    expect(packages.find(({ name }) => name === 'request')?.deprecated).toContain('request has been deprecated');
  });
});

describe('package-lock.json', () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { old: 'npm:lodash@^3' }, workspaces: ['packages/*'] },
      'node_modules/old': { name: 'lodash', version: '3.10.1', deprecated: '  use 4 ' },
      'node_modules/own': { resolved: 'packages/own', link: true },
      'packages/own': {
        name: 'own',
        version: '1.0.0',
        dependencies: { inner: '^1', forked: '*' },
        devDependencies: { both: '1' },
      },
      'packages/own/node_modules/inner': { version: '1.0.0', dependencies: { forked: '*', missing: '1' } },
      'node_modules/inner': { version: '2.0.0', dev: true, optional: true },
      'node_modules/forked': { version: '1.2.3-beta.1', resolved: 'git+ssh://git@example.org/a/forked.git#abc' },
      'node_modules/both': { version: '1.0.0', devOptional: true },
      'node_modules/expected': { version: '1.0.0', peer: true },
      'node_modules/left': { version: '1.0.0', extraneous: true },
      'node_modules/nameless': { resolved: 'https://example.org/x.tgz' },
    },
  };

  test('takes aliases, git packages and copies in workspaces; skips links, and what is extraneous or without a version', async () => {
    const read = await readFrom({ 'package-lock.json': lock });
    expect(byKey(read)).toEqual({
      'node_modules/old': {
        name: 'lodash',
        version: '3.10.1',
        scope: 'runtime',
        direct: true,
        deprecated: 'use 4',
        dependencies: [],
      },
      'packages/own/node_modules/inner': {
        name: 'inner',
        version: '1.0.0',
        scope: 'runtime',
        direct: true,
        deprecated: null,
        dependencies: ['node_modules/forked'],
      },
      'node_modules/inner': {
        name: 'inner',
        version: '2.0.0',
        scope: 'development',
        direct: false,
        deprecated: null,
        dependencies: [],
      },
      'node_modules/forked': {
        name: 'forked',
        version: '1.2.3-beta.1',
        scope: 'runtime',
        direct: true,
        deprecated: null,
        dependencies: [],
      },
      'node_modules/both': {
        name: 'both',
        version: '1.0.0',
        scope: 'optional',
        direct: true,
        deprecated: null,
        dependencies: [],
      },
      'node_modules/expected': {
        name: 'expected',
        version: '1.0.0',
        scope: 'runtime',
        direct: false,
        peer: true,
        deprecated: null,
        dependencies: [],
      },
    });
    expect(read.skipped).toEqual([
      { reason: 'is a link to a folder of the project', count: 1 },
      { reason: 'is extraneous: nothing asks for it', count: 1 },
      { reason: 'has no version', count: 1 },
    ]);
  });

  test('has the ranges of the root and of workspaces; of an alias it is the whole text of its manifest', async () => {
    const read = await readFrom({ 'package-lock.json': lock });
    expect(asksIn(read)).toEqual([
      'package.json -> node_modules/old: npm:lodash@^3',
      'packages/own/package.json -> packages/own/node_modules/inner: ^1',
      'packages/own/package.json -> node_modules/forked: *',
      'packages/own/package.json -> node_modules/both: 1',
    ]);
    expect(rangesIn(read)).toEqual(['packages/own/node_modules/inner -> node_modules/forked: *']);
  });

  test('has the range of each edge, peers and optional ones too', async () => {
    const needs = {
      dependencies: { alias: 'npm:@s/real@~2.1', any: '', both: '^1', odd: 7 },
      optionalDependencies: { both: '^1.2', absent: '^1' },
      peerDependencies: { host: '>=1 <3', both: '*' },
    };
    const places = ['alias', 'any', 'both', 'odd', 'host'].map((name) => [
      `node_modules/${name}`,
      { version: '2.1.0' },
    ]);
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0', ...needs }, ...Object.fromEntries(places) };
    const read = await readFrom({ 'package-lock.json': { lockfileVersion: 3, packages } });
    expect(rangesIn(read).sort()).toEqual([
      'node_modules/a -> node_modules/alias: ~2.1',
      'node_modules/a -> node_modules/any: *',
      'node_modules/a -> node_modules/both: ^1.2',
      'node_modules/a -> node_modules/host: >=1 <3',
      'node_modules/a -> node_modules/odd: ?',
    ]);
  });

  test('npm-shrinkwrap.json is read alike', async () => {
    const read = await readFrom({ 'npm-shrinkwrap.json': lock });
    expect(read.kind).toBe('npm-shrinkwrap.json');
    expect(read.packages).toHaveLength(6);
  });

  const old = {
    dependencies: {
      a: { version: '1.0.0', requires: { b: '^1', c: '^1' }, dependencies: { b: { version: '1.0.0', dev: true } } },
      b: { version: '2.0.0', optional: true },
      c: { version: 'npm:lodash@3.10.1' },
      d: { version: 'file:d' },
    },
  };

  test('version 1 resolves to the nearest copy, and knows what is direct only by package.json', async () => {
    const alone = byKey(await readFrom({ 'package-lock.json': { ...old, lockfileVersion: 1 } }));
    expect(alone).toMatchObject({
      'node_modules/a': { direct: null, dependencies: ['node_modules/a/node_modules/b', 'node_modules/c'] },
      'node_modules/a/node_modules/b': { version: '1.0.0', scope: 'development' },
      'node_modules/b': { version: '2.0.0', scope: 'optional' },
      'node_modules/c': { name: 'lodash', version: '3.10.1' },
    });
    expect(Object.keys(alone)).toHaveLength(4);
    const manifest = { dependencies: { a: '1' }, devDependencies: { c: 'npm:lodash@3.x' } };
    const read = await readFrom({ 'package-lock.json': old, 'package.json': manifest });
    expect(rangesIn(read)).toEqual([
      'node_modules/a -> node_modules/a/node_modules/b: ^1',
      'node_modules/a -> node_modules/c: ^1',
    ]);
    expect(asksIn(read).sort()).toEqual([
      'package.json -> node_modules/a: 1',
      'package.json -> node_modules/c: npm:lodash@3.x',
    ]);
    const withManifest = byKey(read);
    expect(withManifest).toMatchObject({ 'node_modules/a': { direct: true }, 'node_modules/b': { direct: false } });
  });

  test.each([
    [{ lockfileVersion: 4, packages: {} }, 'lockfileVersion: is 4; expected 1, 2 or 3'],
    [{ lockfileVersion: 'x' }, 'lockfileVersion: expected number, received string'],
    [
      { lockfileVersion: 3, packages: { 'node_modules/a': { version: 1 } } },
      'packages.node_modules/a.version: expected string, received number',
    ],
    [{ lockfileVersion: 2 }, 'packages: is required'],
    [
      { lockfileVersion: 1, dependencies: { a: { version: [] } } },
      'node_modules/a: version: expected string, received array',
    ],
    [[], 'the file: expected object, received array'],
  ])('%j is refused with file, place and expectation', async (content, message) => {
    await expect(readFrom({ 'package-lock.json': content })).rejects.toThrow(`package-lock.json: ${message}`);
  });
});

test.each([
  [
    'version 3',
    {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { npm: '6' } },
        'node_modules/npm': { version: '6.0.0' },
        'node_modules/npm/node_modules/@npm/a': { version: '1.0.0', inBundle: true },
        'node_modules/npm/node_modules/@npm/a/node_modules/b': { version: '1.0.0', inBundle: true },
        // In a bundle of the project itself, where it can be replaced.
        'node_modules/own': { version: '1.0.0', inBundle: true },
      },
    },
  ],
  [
    'version 1',
    {
      lockfileVersion: 1,
      dependencies: {
        npm: {
          version: '6.0.0',
          dependencies: {
            '@npm/a': { version: '1.0.0', bundled: true, dependencies: { b: { version: '1.0.0', bundled: true } } },
          },
        },
        own: { version: '1.0.0', bundled: true },
      },
    },
  ],
])('a package in the archive of another names it: %s', async (_name, lock) => {
  const { packages } = await readFrom({ 'package-lock.json': lock });
  const carried = packages.map(({ name, bundledIn }) => [name, bundledIn]);
  expect(new Map(carried.map(([name, by]) => [name, by]))).toEqual(
    new Map([
      ['npm', undefined],
      ['@npm/a', 'node_modules/npm'],
      ['b', 'node_modules/npm'],
      ['own', undefined],
    ]),
  );
});
