import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accepts } from '../../../../src/service/matching/ranges.js';
import { dataFile, hasData } from '../../../support/data.js';
import { asksIn, byKey, rangesIn, readFrom, readReal } from '../reading.js';

test.skipIf(!hasData)('a real composer.lock', async () => {
  const { packages } = await readReal('lockfiles/osv-scanner-composer.lock', 'composer.lock');
  const text = readFileSync(dataFile('lockfiles/osv-scanner-composer.lock'), 'utf8');
  const expected = [...text.matchAll(/^ {6}"name": "(.*)",\n {6}"version": "(.*)",$/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(expected).toHaveLength(6);
  expect(packages.map(({ name, version }) => `${name} ${version}`)).toEqual(expected);
  expect(packages.every(({ ecosystem, direct }) => ecosystem === 'Packagist' && direct === null)).toBe(true);
  const versions = new Map(packages.map(({ key, version }) => [key, version]));
  const edges = packages.flatMap(({ ranges }) => [...(ranges ?? [])]);
  expect(edges).toHaveLength(2);
  expect(edges.filter(([key, range]) => accepts('Packagist', range, versions.get(key) ?? '') !== true)).toEqual([]);
});

describe('composer.lock', () => {
  const lock = {
    packages: [
      {
        name: 'laravel/framework',
        version: 'v11.0.0',
        require: { php: '^8.2', 'ext-json': '*', 'psr/log-implementation': '1' },
        replace: { 'illuminate/support': 'self.version' },
      },
      {
        name: 'monolog/monolog',
        version: '3.5.0',
        provide: { 'psr/log-implementation': '3.0.0' },
        require: [],
        abandoned: false,
      },
      { name: 'acme/add-on', version: 'dev-main', require: { 'illuminate/support': '*' }, abandoned: true },
    ],
    'packages-dev': [
      { name: 'phpunit/php-token-stream', version: '4.0.x-dev', abandoned: 'acme/tokens' },
      { name: 'acme/odd', version: 'whatever' },
    ],
  };

  test('follows what replaces or provides a package, keeps abandonment, and skips what has no version', async () => {
    const read = await readFrom({
      'composer.lock': lock,
      'composer.json': { require: { 'Laravel/Framework': '^11' }, 'require-dev': {} },
    });
    expect(byKey(read)).toEqual({
      'laravel/framework': {
        name: 'laravel/framework',
        version: 'v11.0.0',
        scope: 'runtime',
        direct: true,
        deprecated: null,
        dependencies: ['monolog/monolog'],
      },
      'monolog/monolog': {
        name: 'monolog/monolog',
        version: '3.5.0',
        scope: 'runtime',
        direct: false,
        deprecated: null,
        dependencies: [],
      },
      'acme/add-on': {
        name: 'acme/add-on',
        version: 'dev-main',
        scope: 'runtime',
        direct: false,
        deprecated: 'Abandoned.',
        dependencies: ['laravel/framework'],
      },
      'phpunit/php-token-stream': {
        name: 'phpunit/php-token-stream',
        version: '4.0.x-dev',
        scope: 'development',
        direct: false,
        deprecated: 'Abandoned; use acme/tokens instead.',
        dependencies: [],
      },
    });
    expect(read.skipped).toEqual([{ reason: 'has no version that can be compared', count: 1 }]);
  });

  test('has the range of each edge, but of what a package replaces or provides, and those of composer.json', async () => {
    const [framework, ...others] = lock.packages;
    const packages = [
      { ...framework, require: { 'monolog/monolog': '^3.0', 'psr/log-implementation': '1' } },
      ...others,
    ];
    const read = await readFrom({
      'composer.lock': { ...lock, packages },
      'composer.json': { require: { 'Laravel/Framework': '^11' }, 'require-dev': { 'acme/add-on': 'dev-main' } },
    });
    expect(rangesIn(read)).toEqual([
      'laravel/framework -> monolog/monolog: ^3.0',
      'acme/add-on -> laravel/framework: ?',
    ]);
    expect(asksIn(read)).toEqual(['composer.json -> laravel/framework: ^11', 'composer.json -> acme/add-on: dev-main']);
  });

  test.each([
    [{}, 'packages: is required'],
    [{ packages: [{ name: 'a/b' }] }, 'packages.0.version: is required'],
    [{ packages: [{ name: 'a/b', version: '1', require: ['x'] }] }, 'packages.0.require'],
  ])('%j is refused', async (content, message) => {
    await expect(readFrom({ 'composer.lock': content })).rejects.toThrow(`composer.lock: ${message}`);
  });
});
