import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { chooseLockfiles } from '../../../src/reach/lockfiles/choice.js';
import { namedKinds } from '../../../src/reach/lockfiles/kinds.js';
import { folderWith } from '../folder.js';

test('of a folder one lock file is taken for each ecosystem, the first of the order', async () => {
  const folder = folderWith(Object.fromEntries(namedKinds.map(({ name }) => [name, ''])));
  const { taken, passedOver } = await chooseLockfiles(folder);
  expect(taken.map((path) => basename(path))).toEqual([
    'npm-shrinkwrap.json',
    'uv.lock',
    'go.mod',
    'Cargo.lock',
    'Gemfile.lock',
    'composer.lock',
    'gradle.lockfile',
    'packages.lock.json',
  ]);
  expect(passedOver).toHaveLength(namedKinds.length - taken.length);
  expect(passedOver.find(({ path }) => path.endsWith('poetry.lock'))?.reason).toMatch(/^uv\.lock is taken/);
});

test('bun is told by packageManager too', async () => {
  const folder = folderWith({
    'package-lock.json': '',
    'bun.lock': '',
    'package.json': '{"packageManager": "bun@1.2.0"}',
  });
  const { taken, passedOver } = await chooseLockfiles(folder);
  expect(taken.map((path) => basename(path))).toEqual(['bun.lock']);
  expect(passedOver[0]?.reason).toBe('bun.lock is taken: packageManager of package.json names bun');
});
