import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedKinds } from '../../../src/reach/lockfiles/kinds.js';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { folderWith } from '../folder.js';
import { byKey, readFrom } from './reading.js';

const nested = (depth: number) => `${'{"dependencies":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;

describe('files that are not what their name says', () => {
  test.each(namedKinds)(
    '$name: empty, of wrong types, in conflict, not UTF-8, or too large',
    async ({ name: kind }) => {
      const refused = (content: string) => expect(readFrom({ [kind]: content }), content).rejects.toThrow(`${kind}: `);
      // Nothing to install is a requirement file too.
      if (kind !== 'requirements.txt') await refused('');
      await refused('[1, 2]');
      await refused('"text"');
      await refused('{"packages": 1, "dependencies": 2, "__metadata": 3}');
      await expect(readFrom({ [kind]: '{\n<<<<<<< HEAD\n' })).rejects.toThrow('unresolved merge conflict');

      const folder = folderWith({ [kind]: Buffer.from([0xff, 0x7b, 0x00]) });
      await expect(readLockfile(join(folder, kind))).rejects.toThrow('is not UTF-8 text');
      truncateSync(join(folder, kind), 100 * 1024 * 1024 + 1);
      await expect(readLockfile(join(folder, kind))).rejects.toThrow('expected at most 104857600');
    },
  );

  test('a cut JSON file is told with line and column, and none of its text', async () => {
    const cut = '{\n  "packages": {\n    "node_modules/secret": {"resolved": "https://token@example.org';
    const error = await readFrom({ 'package-lock.json': cut }).catch(String);
    expect(error).toMatch(/package-lock\.json: line 3, column 41: is not JSON: expected a string, closed and escaped/);
    expect(error).not.toContain('token');
    await expect(readFrom({ 'composer.lock': '{"packages": [}' })).rejects.toThrow(
      'line 1, column 15: is not JSON: expected a value or ]',
    );
  });

  test('a byte order mark is no matter', async () => {
    const { packages } = await readFrom({ 'package-lock.json': '\uFEFF{"lockfileVersion": 3, "packages": {}}' });
    expect(packages).toEqual([]);
  });

  test('lock files of ecosystems that are not matched are told from unknown ones', async () => {
    for (const [name, packages] of [
      ['pubspec.lock', 'Dart and Flutter (pub)'],
      ['mix.lock', 'Elixir (Hex)'],
      ['Podfile.lock', 'CocoaPods'],
      ['Package.resolved', 'Swift'],
    ] as const) {
      await expect(readFrom({ [name]: '' })).rejects.toThrow(
        `${name}: lists packages of ${packages}, which are not matched here`,
      );
    }
  });

  test('a folder, a missing file and an unknown name', async () => {
    const folder = folderWith({ 'yarn.lock/x': '', 'flake.lock': '' });
    await expect(readLockfile(join(folder, 'yarn.lock'))).rejects.toThrow('is not a file');
    await expect(readLockfile(join(folder, 'package-lock.json'))).rejects.toThrow('does not exist');
    await expect(readLockfile(join(folder, 'flake.lock'))).rejects.toThrow(
      'is not a lock file known here: expected npm-shrinkwrap.json',
    );
  });
});

describe('files made to do harm', () => {
  test('a YAML file of aliases, that would unfold to millions of values', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) =>
        `b${i}: &b${i} [${Array(9)
          .fill(i === 0 ? 'x' : `*b${i - 1}`)
          .join(', ')}]`,
    );
    for (const kind of ['pnpm-lock.yaml', 'yarn.lock']) {
      const text = `__metadata: {version: 8}\nlockfileVersion: '9.0'\n${levels.join('\n')}`;
      await expect(readFrom({ [kind]: text })).rejects.toThrow(
        `${kind}: line 4, column 11: is not YAML as a lock file has it: aliases exceeded`,
      );
    }
  });

  test('YAML that names types, or nests without end', async () => {
    await expect(readFrom({ 'pnpm-lock.yaml': 'lockfileVersion: !!js/function "x"' })).rejects.toThrow(
      'unknown scalar tag',
    );
    await expect(readFrom({ 'pnpm-lock.yaml': '['.repeat(1_000_000) })).rejects.toThrow('nesting exceeded');
  });

  test('a tree of version 1 that nests without end', async () => {
    await expect(readFrom({ 'package-lock.json': nested(100_000) })).rejects.toThrow(
      'nested deeper than the 64 levels expected',
    );
  });

  test('a path without end', async () => {
    const packages = { '': {}, ['a/'.repeat(1_000_000)]: {} };
    await expect(readFrom({ 'package-lock.json': { lockfileVersion: 3, packages } })).rejects.toThrow(
      'a path is longer than 4096',
    );
  });

  test('names that objects have by themselves are packages like others, and __proto__ is none', async () => {
    const entry = '{"version": "1.0.0", "dependencies": {"constructor": "1", "__proto__": "1", "missing": "1"}}';
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    const packages = names.map((name) => `"node_modules/${name}": ${entry}`).join(', ');
    const read = await readFrom({
      'package-lock.json': `{"lockfileVersion": 3, "packages": {"": {}, "__proto__": {"version": "9"}, ${packages}}}`,
    });
    expect(read.packages.map(({ name }) => name)).toEqual(names);
    expect(byKey(read)['node_modules/toString']?.dependencies[0]).toBe('node_modules/constructor');

    const yaml = (name: string) => `\n  ${name}@1.0.0:\n    dependencies: {__proto__: 1.0.0, constructor: 1.0.0}`;
    const pnpm = `lockfileVersion: '9.0'\npackages:${names.map(yaml).join('')}\n  __proto__: {name: x, version: 1.0.0}\n`;
    expect((await readFrom({ 'pnpm-lock.yaml': pnpm })).packages.map(({ name }) => name)).toEqual(names);
    const classic = `# yarn lockfile v1\n${names.map((name) => `"${name}@1":\n  version "1.0.0"\n  dependencies:\n    __proto__ "1"\n`).join('')}`;
    expect(
      (await readFrom({ 'yarn.lock': classic, 'package.json': { dependencies: { constructor: '1' } } })).packages,
    ).toHaveLength(4);
    const berry = `__metadata: {version: 8}\n__proto__: {version: 1.0.0, resolution: "x@npm:1.0.0"}\n`;
    expect((await readFrom({ 'yarn.lock': berry })).packages).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'version')).toBe(false);
  });

  test('names and versions that no registry has are skipped', async () => {
    const packages = {
      '': {},
      'node_modules/a b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0\u001b[31m' },
      'node_modules/d': { version: 'latest' },
    };
    const read = await readFrom({ 'package-lock.json': { lockfileVersion: 3, packages } });
    expect(read.packages).toEqual([]);
    expect(read.skipped).toEqual([
      { reason: 'has no valid package name', count: 1 },
      { reason: 'has no version that can be compared', count: 2 },
    ]);
  });
});

// Some seconds each where nothing else runs.
describe('100,000 packages in a cycle', () => {
  const size = 100_000;
  const next = (i: number) => (i + 1) % size;

  test('of npm', async () => {
    const entries = Array.from({ length: size }, (_, i) => [
      `node_modules/p${i}`,
      { version: '1.0.0', dependencies: { [`p${next(i)}`]: '1' } },
    ]);
    const { packages } = await readFrom({
      'package-lock.json': { lockfileVersion: 3, packages: { '': {}, ...Object.fromEntries(entries) } },
    });
    expect(packages).toHaveLength(size);
    expect(packages[size - 1]?.dependencies).toEqual(['node_modules/p0']);
  });

  test('of pnpm', async () => {
    const all = Array.from({ length: size }, (_, i) => i);
    const text = [
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    devDependencies:\n      p0: {specifier: 1, version: 1.0.0}\npackages:",
      ...all.map((i) => `  p${i}@1.0.0:\n    resolution: {integrity: sha512-x}`),
      'snapshots:',
      ...all.map((i) => `  p${i}@1.0.0:\n    dependencies:\n      p${next(i)}: 1.0.0`),
    ].join('\n');
    const { packages } = await readFrom({ 'pnpm-lock.yaml': text });
    expect(packages).toHaveLength(size);
    expect(packages.every(({ scope }) => scope === 'development')).toBe(true);
  });

  test('of Yarn 1', async () => {
    const text = `# yarn lockfile v1\n${Array.from({ length: size }, (_, i) => `p${i}@1:\n  version "1.0.0"\n  dependencies:\n    p${next(i)} "1"\n`).join('')}`;
    const { packages } = await readFrom({ 'yarn.lock': text, 'package.json': { dependencies: { p7: '1' } } });
    expect(packages).toHaveLength(size);
  });

  test('more than twice as many are refused', async () => {
    const entries = Array.from({ length: 200_001 }, (_, i) => ({ name: `a/p${i}`, version: '1.0.0' }));
    await expect(readFrom({ 'composer.lock': { packages: entries } })).rejects.toThrow(
      'lists more than 200000 packages',
    );
  });
});
