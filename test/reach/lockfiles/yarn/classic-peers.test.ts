import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walkTree } from '../../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../../src/reach/analysis/tree-lockfiles.js';
import { folderWith } from '../../folder.js';
import { readFrom } from '../reading.js';

function lockOf(...names: readonly string[]): string {
  return `# yarn lockfile v1\n${names.map((name) => `\n"${name}@^1.0.0":\n  version "1.0.0"\n`).join('')}`;
}

function manifestOf(...names: readonly string[]): string {
  return JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) });
}

async function read(...names: readonly string[]) {
  const { packages } = await readFrom({ 'yarn.lock': lockOf(...names), 'package.json': manifestOf(...names) });
  return new Map(packages.map((found) => [found.name, found]));
}

test('peers of much used packages are known', async () => {
  const found = await read('@mui/material', '@emotion/react', '@emotion/styled', 'sequelize', 'left-pad');
  expect(found.get('@mui/material')?.peers).toEqual(expect.arrayContaining(['@emotion/react', '@emotion/styled']));
  expect(found.get('sequelize')?.peers).toEqual(expect.arrayContaining(['pg', 'mysql2', 'sqlite3']));
  expect(found.get('left-pad')?.peers).toBeUndefined();
});

test('a package that an unknown one may expect says so', async () => {
  const found = await read('our-own-orm', 'pg', 'left-pad', '@acme/core', '@acme/driver');
  expect(found.get('pg')?.hasHiddenDependents).toBe(true);
  expect(found.get('@acme/driver')?.hasHiddenDependents).toBe(true);
  expect(found.get('left-pad')?.hasHiddenDependents).toBeUndefined();
  expect((await read('pg')).get('pg')?.hasHiddenDependents).toBeUndefined();
});

test('no package expects types to run with it', async () => {
  const found = await read('our-own-orm', '@types/node', '@types/react', '@acme/core', '@acme/driver');
  expect(found.get('@types/node')?.hasHiddenDependents).toBeUndefined();
  expect(found.get('@acme/core')?.hasHiddenDependents).toBe(true);
});

const integrity = { 'node_modules/.yarn-integrity': '{}' };

test('installed packages name their peers themselves', async () => {
  const files = {
    ...integrity,
    'package.json': manifestOf('our-own-orm', 'pg', 'broken', 'linked'),
    'yarn.lock': lockOf('our-own-orm', 'pg', 'broken', 'linked'),
    'node_modules/our-own-orm/package.json': '{"peerDependencies": {"pg": "*"}, "peerDependenciesMeta": {"x": {}}}',
    'node_modules/pg/package.json': '{}',
    'node_modules/broken/package.json': '{"peerDependencies": 1',
  };
  const folder = folderWith(files);
  symlinkSync(
    folderWith({ 'package.json': '{"peerDependencies": {"outside": "*"}}' }),
    join(folder, 'node_modules/linked'),
  );
  const { lockfiles, faults } = await readTreeLockfiles(await walkTree(folder));
  const found = new Map(lockfiles.flatMap(({ packages }) => packages).map((each) => [each.name, each]));
  expect(found.get('our-own-orm')?.peers).toEqual(['pg', 'x']);
  expect(found.get('broken')?.peers).toBeUndefined();
  expect(found.get('linked')?.peers).toBeUndefined();
  expect(faults).toEqual([]);
});
