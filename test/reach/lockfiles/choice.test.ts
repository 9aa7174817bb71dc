import { expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { chooseTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { namedKinds } from '../../../src/reach/lockfiles/kinds.js';
import { folderWith } from '../folder.js';

const chooseIn = async (files: Record<string, string>) => chooseTreeLockfiles(await walkTree(folderWith(files)));
const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']));

test('of a folder one lock file is taken for each ecosystem, the first of the order', async () => {
  const { taken, passedOver } = await chooseIn(empty(...namedKinds.map(({ name }) => name)));
  expect(taken).toEqual([
    'Cargo.lock',
    'Gemfile.lock',
    'composer.lock',
    'go.mod',
    'gradle.lockfile',
    'npm-shrinkwrap.json',
    'packages.lock.json',
    'uv.lock',
  ]);
  expect(passedOver).toHaveLength(namedKinds.length - taken.length);
  expect(passedOver.find(({ path }) => path === 'poetry.lock')?.reason).toMatch(/^uv\.lock is taken/);
});

test('bun is told by packageManager too', async () => {
  const { taken, passedOver } = await chooseIn({
    ...empty('package-lock.json', 'bun.lock'),
    'package.json': '{"packageManager": "bun@1.2.0"}',
  });
  expect(taken).toEqual(['bun.lock']);
  expect(passedOver[0]?.reason).toBe('bun.lock is taken: packageManager of package.json names bun');
});

test('of files for several environments all are taken', async () => {
  const requirements = ['requirements.txt', 'dev-requirements.txt', 'requirements-test.txt', 'requirements/base.txt'];
  const { taken, passedOver } = await chooseIn(empty(...requirements, 'requirements/constraints.txt'));
  expect(taken.toSorted()).toEqual(requirements.toSorted());
  expect(passedOver).toEqual([
    { path: 'requirements/constraints.txt', reason: expect.stringMatching(/^it limits versions/) },
  ]);
  expect((await chooseIn(empty('pylock.toml', 'pylock.dev.toml', 'requirements.txt'))).taken).toEqual([
    'pylock.dev.toml',
    'pylock.toml',
  ]);
});

test('of environments in a folder with another tool’s lock file none is', async () => {
  const { taken, passedOver } = await chooseIn(empty('uv.lock', 'requirements.txt', 'requirements-dev.txt'));
  expect(taken).toEqual(['uv.lock']);
  expect(passedOver.map(({ path }) => path).toSorted()).toEqual(['requirements-dev.txt', 'requirements.txt']);
});

test('what is known and not read is told, apart where packages stay unknown by it', async () => {
  const { taken, passedOver, unread } = await chooseIn(
    empty('web/bun.lockb', 'api/bun.lockb', 'api/bun.lock', 'app/pubspec.lock', 'fixtures/package-lock.json'),
  );
  expect(taken).toEqual(['api/bun.lock']);
  expect(unread).toEqual([
    { path: 'web/bun.lockb', ecosystem: 'npm', reason: expect.stringContaining('--save-text-lockfile') },
  ]);
  expect(passedOver).toEqual([
    { path: 'api/bun.lockb', reason: expect.stringContaining('--save-text-lockfile') },
    { path: 'app/pubspec.lock', reason: 'it lists packages of Dart and Flutter (pub), which are not matched here' },
    { path: 'fixtures/package-lock.json', reason: 'it lies in a folder of test data' },
  ]);
});
