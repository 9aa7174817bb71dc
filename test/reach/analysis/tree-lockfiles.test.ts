import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { folderWith } from '../folder.js';

const npm = (name: string) =>
  JSON.stringify({ lockfileVersion: 3, packages: { [`node_modules/${name}`]: { version: '1.0.0' } } });
const yarn = '# yarn lockfile v1\n\na@^1.0.0:\n  version "1.0.0"\n';

async function read(files: Record<string, string>, prepare: (folder: string) => void = () => {}) {
  const folder = folderWith(files);
  prepare(folder);
  const { lockfiles, faults } = await readTreeLockfiles(await walkTree(folder));
  return { faults, paths: lockfiles.map(({ path }) => path), lockfiles };
}

describe('the lock files of a tree', () => {
  test('are found in every folder, with their hash', async () => {
    const text = npm('a');
    const { lockfiles, faults } = await read({ 'package-lock.json': text, 'web/app/package-lock.json': npm('b') });
    expect(faults).toEqual([]);
    expect(lockfiles.map(({ path, folder, packages }) => [path, folder, packages[0]?.name])).toEqual([
      ['package-lock.json', '', 'a'],
      ['web/app/package-lock.json', 'web/app', 'b'],
    ]);
    expect(lockfiles[0]?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('are one for each ecosystem of a folder: the one of the package manager that is named, else the first', async () => {
    const both = { 'package-lock.json': npm('a'), 'yarn.lock': yarn, 'composer.lock': '{"packages": []}' };
    expect((await read(both)).paths).toEqual(['composer.lock', 'package-lock.json']);
    const named = { ...both, 'package.json': '{"packageManager": "yarn@1.22.22"}' };
    expect((await read(named)).paths).toEqual(['composer.lock', 'yarn.lock']);
    expect((await read({ ...both, 'package.json': '{' })).paths).toEqual(['composer.lock', 'package-lock.json']);
  });

  test('are not those of test data, nor of installed packages', async () => {
    const { paths } = await read({
      'package-lock.json': npm('a'),
      'test/fixtures/x/package-lock.json': npm('b'),
      'node_modules/c/package-lock.json': npm('c'),
    });
    expect(paths).toEqual(['package-lock.json']);
  });

  test('are all of those for several environments; those in `requirements` are of the folder around it', async () => {
    const { lockfiles, faults } = await read({
      'api/requirements.txt': '-r requirements/base.txt',
      'api/requirements/base.txt': 'flask==3.0.0',
      'api/requirements/dev.txt': '-r base.txt\n-r ../../shared/limits.txt\npytest==8.0',
      'api/requirements/NOTES.txt': 'These are our requirements.',
      'shared/limits.txt': 'attrs==23.1.0',
    });
    expect(faults).toEqual([]);
    const scopes = lockfiles.map(({ path, folder, packages }) => [
      path,
      folder,
      packages.map(({ name, scope }) => `${name} ${scope}`).join(),
    ]);
    expect(scopes).toEqual([
      ['api/requirements.txt', 'api', 'flask runtime'],
      ['api/requirements/base.txt', 'api', 'flask runtime'],
      ['api/requirements/dev.txt', 'api', 'pytest development,attrs runtime,flask runtime'],
    ]);
  });

  test('that stay unread are faults where they hide packages', async () => {
    const { paths, faults } = await read({
      'package-lock.json': npm('a'),
      'web/bun.lockb': 'bun',
      'app/pubspec.lock': 'packages:',
    });
    expect(paths).toEqual(['package-lock.json']);
    expect(faults).toEqual([expect.stringMatching(/^web\/bun\.lockb is not read: .*--save-text-lockfile/)]);
  });

  test('that are broken are told of, and the others are read', async () => {
    const { paths, faults } = await read({
      'package-lock.json': '{"lockfileVersion": 3, "packages"',
      'api/package-lock.json': npm('a'),
      'bin/package-lock.json': '\xff\xfe\0',
    });
    expect(paths).toEqual(['api/package-lock.json']);
    expect(faults).toEqual([
      expect.stringContaining('bin/package-lock.json: '),
      'package-lock.json: line 1, column 34: is not JSON: expected : after a key',
    ]);
  });

  test('are never read outside of the tree, nor the manifests beside them', async () => {
    const outside = folderWith({
      'package-lock.json': npm('outside'),
      'package.json': '{"packageManager": "yarn@1", "dependencies": {"a": "^1.0.0"}}',
    });
    const linked = await read({ 'yarn.lock': yarn }, (folder) => {
      symlinkSync(join(outside, 'package-lock.json'), join(folder, 'package-lock.json'));
      symlinkSync(join(outside, 'package.json'), join(folder, 'package.json'));
    });
    expect(linked.paths).toEqual(['yarn.lock']);
    // With the manifest it would be known to be direct.
    expect(linked.lockfiles[0]?.packages).toMatchObject([{ name: 'a', direct: null }]);
  });
});
