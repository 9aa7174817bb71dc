import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UnreadPart } from '../../../src/procedures/unread.js';
import { findLockfiles } from '../../../src/reach/sync/find-lockfiles.js';
import { folderWith } from '../folder.js';

type Told = readonly [UnreadPart['ecosystem'], string | null, UnreadPart['reason'], string | null];

/** What a tree names besides its lock files: ecosystem, name, reason, and file. */
async function besideIn(files: Record<string, string>, change = (_folder: string) => {}): Promise<Told[]> {
  const folder = folderWith(files);
  change(folder);
  const found = await findLockfiles(folder);
  const parts = await found.beside(await Promise.all(found.lockfiles.map(({ read }) => read())));
  return parts.map(({ ecosystem, name, reason, at }) => [ecosystem, name, reason, at]);
}

const npm = (...names: string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
  });
const poetry = (name: string, version: string) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n\n[metadata]\ncontent-hash = "x"\n`;
const lock = { 'package-lock.json': npm('a') };

test.each<[string, string, UnreadPart['ecosystem']]>([
  ['package.json', '{"dependencies": {"b": "^1.0.0"}}', 'npm'],
  ['package.json', '{', 'npm'],
  ['deno.json', '{"imports": {"b": "npm:b@^1"}}', 'npm'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["b>=1"]\n', 'PyPI'],
  ['setup.py', 'setup(install_requires=["b"])', 'PyPI'],
  ['setup.cfg', '[options]\ninstall_requires =\n  b\n', 'PyPI'],
  ['Pipfile', '[[source]]\nname = "pypi"\n\n[packages]\nb = "*"\n', 'PyPI'],
  ['environment.yml', 'name: x\ndependencies:\n  - b=1\n', 'PyPI'],
  ['requirements.in', 'b\n', 'PyPI'],
  ['Cargo.toml', '[package]\nname = "x"\n[dependencies]\nb = "1"\n', 'crates.io'],
  ['Gemfile', "gem 'b'\n", 'RubyGems'],
  ['x.gemspec', "spec.add_dependency 'b', '~> 1'\n", 'RubyGems'],
  ['composer.json', '{"require": {"php": "8", "a/b": "^1"}}', 'Packagist'],
  ['App.csproj', '<PackageReference Include="B" Version="1.*" />', 'NuGet'],
  ['Directory.Build.props', '<PackageReference Include="B" Version="1.0.0" />', 'NuGet'],
  ['build.gradle', "dependencies { implementation 'g:b:1.0' }", 'Maven'],
  ['build.gradle.kts', 'dependencies { implementation(libs.b) }', 'Maven'],
  ['build.sbt', 'libraryDependencies += "g" % "b" % "1"', 'Maven'],
])('%s (%s) has no lock file', async (file, text, ecosystem) => {
  expect(await besideIn({ ...lock, [`z/${file}`]: text })).toEqual([[ecosystem, null, 'no_lock_file', `z/${file}`]]);
});

test.each([
  ['package.json', '{"type": "module"}'],
  ['package.json', '{"dependencies": {"ours": "workspace:*", "theirs": "file:../theirs"}}'],
  ['pyproject.toml', '[tool.black]\nline-length = 120\n'],
  ['setup.py', 'setup(name="x")'],
  ['Pipfile', '[[source]]\nname = "pypi"\n\n[packages]\n\n[requires]\npython_version = "3.12"\n'],
  ['environment.yaml', 'name: staging\n'],
  ['Cargo.toml', '[workspace]\nmembers = ["a"]\n'],
  ['Gemfile', "source 'https://example.org'\n"],
  ['composer.json', '{"name": "a/b", "require": {"php": "8", "ext-json": "*"}, "suggest": {"c/d": "for more"}}'],
  ['App.csproj', '<ProjectReference Include="../B/B.csproj" />'],
  ['settings.gradle', "include ':app'\nmaven { url 'https://example.org/m2' }"],
])('%s (%s) asks for nothing', async (file, text) => {
  expect(await besideIn({ ...lock, [`z/${file}`]: text })).toEqual([]);
});

test('a member of a workspace is locked above, and another package is not', async () => {
  const files = { 'package-lock.json': npm('a', 'b'), 'z/package.json': '{"devDependencies": {"x": "npm:b@1"}}' };
  expect(await besideIn(files)).toEqual([]);
  expect(await besideIn({ ...files, 'y/package.json': '{"dependencies": {"a": "1", "c": "1"}}' })).toEqual([
    ['npm', null, 'no_lock_file', 'y/package.json'],
  ]);
  // Composer has no workspaces.
  const composer = { 'composer.lock': '{"packages": [{"name": "a/b", "version": "1.0.0"}]}' };
  expect(await besideIn({ ...composer, 'z/composer.json': '{"require": {"a/b": "1"}}' })).toHaveLength(1);
});

test('requirements in a folder of their own are the lock of the folder around', async () => {
  const files = { 'api/requirements/base.txt': 'b==1.0\n', 'api/setup.py': 'setup(install_requires=["b"])' };
  expect(await besideIn(files)).toEqual([]);
});

test('of test data nothing counts', async () => {
  expect(await besideIn({ ...lock, 'fixtures/package.json': '{"dependencies": {"b": "1"}}' })).toEqual([]);
});

test('what another tool’s lock file beside it has, and no other, may be in use', async () => {
  const yarn = '# yarn lockfile v1\n\na@1:\n  version "1.0.0"\n\nb@1:\n  version "1.0.0"\n\na@2:\n  version "2.0.0"\n';
  expect(await besideIn({ ...lock, 'yarn.lock': yarn })).toEqual([
    ['npm', 'b', 'other_lock_file', 'yarn.lock'],
    ['npm', 'a', 'other_lock_file', 'yarn.lock'],
  ]);
  expect(await besideIn({ ...lock, 'yarn.lock': '# yarn lockfile v1\n\na@1:\n  version "1.0.0"\n' })).toEqual([]);
  expect(await besideIn({ ...lock, 'bun.lock': 'broken' })).toEqual([['npm', null, 'file_not_read', 'bun.lock']]);
  // The project itself says which one it uses.
  const declared = { ...lock, 'package.json': '{"packageManager": "npm@11.0.0"}' };
  expect(await besideIn({ ...declared, 'yarn.lock': yarn })).toEqual([]);
  expect(await besideIn({ ...lock, 'npm-shrinkwrap.json': npm('b') })).toEqual([]);
});

test('a list of requirements beside a lock file hides more only where it is of another environment', async () => {
  const locked = { 'poetry.lock': poetry('Flask', '3.0') };
  expect(await besideIn({ ...locked, 'requirements.txt': 'flask==3.0\n' })).toEqual([]);
  expect(await besideIn({ ...locked, 'requirements.txt': 'flask>=2\n' })).toEqual([]);
  expect(await besideIn({ ...locked, 'requirements.txt': 'flask>=2\ndjango>=2\n' })).toEqual([
    ['PyPI', 'django', 'range', 'requirements.txt'],
    ['PyPI', null, 'direct_only', 'requirements.txt'],
  ]);
});

test('a known file that is not read counts beside one that is, unless the tool uses that one', async () => {
  expect(await besideIn({ ...lock, 'bun.lockb': 'x' })).toEqual([['npm', null, 'file_not_read', 'bun.lockb']]);
  expect(await besideIn({ 'bun.lock': '{"lockfileVersion": 1, "workspaces": {}}', 'bun.lockb': 'x' })).toEqual([]);
  expect(await besideIn({ 'go.mod': 'module a\ngo 1.26.0\n', 'Gopkg.lock': 'x' })).toEqual([]);
  expect(await besideIn({ ...lock, 'z/packages.config': 'x', 'y/dependency-locks/a.lockfile': 'x' })).toEqual([
    ['Maven', null, 'file_not_read', 'y/dependency-locks/a.lockfile'],
    ['NuGet', null, 'file_not_read', 'z/packages.config'],
  ]);
});

test('a lock file that is a link out of the tree is not read', async () => {
  const outside = folderWith({ 'composer.lock': '{"packages": []}' });
  const linked = (from: string) => (folder: string) => symlinkSync(from, join(folder, 'composer.lock'));
  expect(await besideIn(lock, linked(join(outside, 'composer.lock')))).toEqual([
    ['Packagist', null, 'file_not_read', 'composer.lock'],
  ]);
  const inside = { ...lock, 'api/composer.lock': '{"packages": []}' };
  expect(await besideIn(inside, linked('api/composer.lock'))).toEqual([]);
});

test('a single lock file names nothing beside it', async () => {
  const folder = folderWith({ ...lock, 'z/package.json': '{"dependencies": {"b": "1"}}' });
  const found = await findLockfiles(join(folder, 'package-lock.json'));
  expect(await found.beside([])).toEqual([]);
});
