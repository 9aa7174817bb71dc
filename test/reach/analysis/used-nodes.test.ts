import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import type { TreeLockfile } from '../../../src/reach/analysis/tree-lockfiles.js';
import { lockfile, use } from './locked.js';

/** The versions of `a` that an import in the file means. */
function versions(file: string, ...lockfiles: TreeLockfile[]): string[] {
  return assemble(lockfiles, [use('a', { file })])
    .dependencies.filter(({ sites }) => sites.length > 0)
    .map(({ purl }) => purl.split('@').at(-1) ?? '');
}

describe('of several versions of a package', () => {
  const npm = lockfile({
    'a@1.0.0': { key: 'node_modules/a' },
    'a@2.0.0': { key: 'packages/web/node_modules/a' },
    'a@3.0.0': { key: 'node_modules/b/node_modules/a' },
    'a@4.0.0': { key: 'packages/web/node_modules/c/node_modules/a' },
  });

  test('npm: the nearest node_modules above the file', () => {
    expect(versions('src/x.js', npm)).toEqual(['1.0.0']);
    expect(versions('packages/web/src/deep/x.js', npm)).toEqual(['2.0.0']);
    expect(versions('packages/website/x.js', npm)).toEqual(['1.0.0']);
  });

  test('npm: an alias is found under its real name', () => {
    const alias = lockfile({
      'a@1.0.0': { key: 'node_modules/old-a' },
      'a@2.0.0': { key: 'node_modules/b/node_modules/a' },
    });
    expect(versions('x.js', alias)).toEqual(['1.0.0']);
  });

  test('npm: one that is only nested may be any of them', () => {
    const nested = lockfile({
      'a@1.0.0': { key: 'node_modules/b/node_modules/a' },
      'a@2.0.0': { key: 'node_modules/c/node_modules/a' },
    });
    expect(versions('x.js', nested)).toEqual(['1.0.0', '2.0.0']);
  });

  test('pnpm: what the nearest workspace asks for, else what any does', () => {
    const pnpm = lockfile({
      'a@1.0.0': { direct: true, asked: [{ file: 'package.json', range: null }] },
      'a@2.0.0': {
        direct: true,
        asked: [
          { file: 'packages/web/package.json', range: null },
          { file: 'packages/api/package.json', range: null },
        ],
      },
      'a@3.0.0': {},
    });
    expect(versions('packages/api/x.ts', pnpm)).toEqual(['2.0.0']);
    expect(versions('tools/x.ts', pnpm)).toEqual(['1.0.0']);
    const withoutRoot = lockfile({
      'a@2.0.0': { direct: true, asked: [{ file: 'packages/web/package.json', range: null }] },
      'a@3.0.0': {},
    });
    expect(versions('tools/x.ts', withoutRoot)).toEqual(['2.0.0']);
  });

  test('npm: its place decides, whoever asks for it', () => {
    const hoisted = lockfile({
      'a@1.0.0': { key: 'node_modules/a', direct: true, asked: [{ file: 'packages/web/package.json', range: '^1' }] },
      'a@2.0.0': {
        key: 'packages/api/node_modules/a',
        direct: true,
        asked: [{ file: 'packages/api/package.json', range: '^2' }],
      },
    });
    expect(versions('packages/api/x.ts', hoisted)).toEqual(['2.0.0']);
    expect(versions('tools/x.ts', hoisted)).toEqual(['1.0.0']);
  });

  test('the nearest lock file that has the package decides; without one above, those elsewhere stand in', () => {
    const root = lockfile({ 'a@1.0.0': { key: 'node_modules/a' } });
    const web = lockfile({ 'a@2.0.0': { key: 'node_modules/a' } }, { path: 'web/package-lock.json', folder: 'web' });
    const api = lockfile({ 'b@2.0.0': { key: 'node_modules/b' } }, { path: 'api/package-lock.json', folder: 'api' });
    expect(versions('web/src/x.js', root, web, api)).toEqual(['2.0.0']);
    expect(versions('api/src/x.js', root, web, api)).toEqual(['1.0.0']);
    expect(versions('scripts/x.js', web, api)).toEqual(['2.0.0']);
  });

  test('of two lock files of one folder, for two environments, both are meant', () => {
    const python = { ecosystem: 'PyPI' } as const;
    const dev = lockfile({ 'a@1.0.0': python }, { path: 'requirements-dev.txt' });
    const main = lockfile({ 'a@2.0.0': python }, { path: 'requirements.txt' });
    const { dependencies } = assemble([dev, main], [{ ...use('a'), ...python }]);
    expect(dependencies.map(({ usage }) => usage)).toEqual(['reached', 'reached']);
  });
});

test('names are compared as the registry does, and two spellings are one package', () => {
  const python = { ecosystem: 'PyPI' } as const;
  const lock = lockfile({ 'Zope.Interface@5.0.0': { ...python }, 'zope-interface@5.0.0': { ...python } });
  const { dependencies } = assemble([lock], [{ ...use('zope_interface'), ecosystem: 'PyPI' }]);
  expect(dependencies.map(({ purl, usage }) => [purl, usage])).toEqual([['pkg:pypi/zope.interface@5.0.0', 'reached']]);
});

test('a name that no package URL can say is counted, and left out', () => {
  const lock = lockfile({ 'a@1.0.0': {}, '../evil@1.0.0': {}, '@x@1.0.0': {} });
  const { dependencies, unnameable } = assemble([lock], []);
  expect(dependencies.map(({ purl }) => purl)).toEqual(['pkg:npm/a@1.0.0']);
  expect(unnameable).toBe(2);
});
