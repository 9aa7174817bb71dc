import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detect, kinds, lockfileNames, namedKinds } from '../../../src/reach/lockfiles/kinds.js';
import { runReach } from '../run-reach.js';

const root = join(import.meta.dirname, '../../..');
const lockfiles = join(root, 'src/reach/lockfiles');

test('every folder of a lock file kind is listed, and nothing else is', async () => {
  const folders = readdirSync(lockfiles, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const exported = await Promise.all(
    folders.map(async (folder) => Object.values(await import(join(lockfiles, folder, 'index.ts')))),
  );
  expect(exported.filter((found) => found.length !== 1)).toEqual([]);
  expect(new Set(kinds)).toEqual(new Set(exported.flat()));
  expect(kinds).toHaveLength(folders.length);
});

test.each(kinds)('$tool has a test', ({ tool }) => {
  expect(readdirSync(join(import.meta.dirname, tool)).filter((file) => file.endsWith('.test.ts'))).not.toEqual([]);
});

test('each tool and each file name is said once', () => {
  expect(new Set(kinds.map(({ tool }) => tool)).size).toBe(kinds.length);
  expect(new Set(namedKinds.map(({ name }) => name)).size).toBe(namedKinds.length);
});

test.each(namedKinds)('$name is known by its name', (kind) => {
  expect(detect(`some/folder/${kind.name}`)).toBe(kind);
  expect(detect(`${kind.name}.bak`)).toBeNull();
});

test.each([
  ['npm', ['npm-shrinkwrap.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock']],
  ['PyPI', ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml', 'requirements.txt']],
  ['Maven', ['gradle.lockfile', 'pom.xml']],
])('of several for %s the order of precedence holds', (ecosystem, order) => {
  const names = namedKinds.filter((kind) => kind.ecosystem === ecosystem).map(({ name }) => name);
  expect(names.filter((name) => order.includes(name))).toEqual(order);
});

test('files that match a pattern are of the kind of its first name', () => {
  for (const path of [
    'requirements-dev.txt',
    'x/dev-requirements.txt',
    '/a/requirements/base.txt',
    'requirements_x.txt',
  ]) {
    expect(detect(path)?.name).toBe('requirements.txt');
  }
  for (const path of [
    'x/requirements/sub/a.txt',
    'my-requirements/a.txt',
    'requirementsdev.txt',
    'requirements-dev.in',
  ]) {
    expect(detect(path)).toBeNull();
  }
});

test('help and errors name every file and pattern', async () => {
  expect(lockfileNames).toContain('requirements.txt, requirements-*.txt, *-requirements.txt, requirements/*.txt');
  for (const { name } of namedKinds) expect(lockfileNames.split(', ')).toContain(name);
  expect((await runReach(['sync', '--help'])).stdout).toContain(`Reads ${lockfileNames}.`);
});

test('the guide names every tool', () => {
  const [, list = ''] =
    /It reads the lock files of\s([^.]+)\./.exec(readFileSync(join(root, 'docs/scanners-in-ci.md'), 'utf8')) ?? [];
  const tools = list.toLowerCase().split(/,\s+|\s+and\s+/);
  expect(tools.toSorted()).toEqual(kinds.map(({ tool }) => tool).toSorted());
});
