import { describe, expect, test } from 'vitest';
import { readFrom } from './reading.js';

const npmLock = (...names: readonly string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { '': {}, ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])) },
  });
const yarnLock = (...names: readonly string[]) =>
  `# yarn lockfile v1\n${names.map((name) => `\n"${name}@^1":\n  version "1.0.0"\n`).join('')}`;

async function overridesIn(files: Readonly<Record<string, string>>) {
  const { packages } = await readFrom(files);
  return packages.flatMap(({ name, overriddenBy = [] }) =>
    overriddenBy.map(({ file, key, fields }) => `${name}: ${file} ${[...fields, key].join(' / ')}`),
  );
}

describe('the overrides of a project', () => {
  test('of npm may be tables, whose own version is a dot', async () => {
    const overrides = { qs: '6.7.0', 'a@^1': { '.': '1.0.1', '@s/b': { c: '2' } }, gone: '1', ['d'.repeat(400)]: '1' };
    const files = {
      'package-lock.json': npmLock('qs', 'a', '@s/b', 'c', 'free'),
      'package.json': JSON.stringify({ overrides, resolutions: { free: '1' }, pnpm: { overrides: { free: '1' } } }),
    };
    expect(await overridesIn(files)).toEqual([
      'qs: package.json overrides / qs',
      'a: package.json overrides / a@^1 / .',
      'c: package.json overrides / a@^1 / @s/b / c',
    ]);
  });

  test('of Yarn are resolutions, whose keys end in the name', async () => {
    const keys = ['qs', '**/a', 'x/@s/b', '@s/x/c', 'd@npm:^1'];
    const resolutions = Object.fromEntries(keys.map((key) => [key, '1.0.0']));
    const files = {
      'yarn.lock': yarnLock('qs', 'a', '@s/b', 'c', 'd', '@s/x', 'x'),
      'package.json': JSON.stringify({ resolutions, overrides: { x: '1' } }),
    };
    expect(await overridesIn(files)).toEqual([
      'qs: package.json resolutions / qs',
      'a: package.json resolutions / **/a',
      '@s/b: package.json resolutions / x/@s/b',
      'c: package.json resolutions / @s/x/c',
      'd: package.json resolutions / d@npm:^1',
    ]);
  });

  test('of pnpm are those that its lock file names, wherever they are written', async () => {
    const overrides = ['qs: 1.0.0', 'a>b@>=1 <2: 1.0.0', "'@s/c@<2>d': 1.0.0", 'e: 1.0.0'];
    const lines = ['qs', 'b', 'd', 'e', 'f'].map((name) => `  ${name}@1.0.0: {}`);
    const files = {
      'pnpm-lock.yaml': [`lockfileVersion: '9.0'\noverrides:`, ...overrides.map((each) => `  ${each}`)]
        .concat('packages:', lines, 'snapshots:', lines)
        .join('\n'),
      'pnpm-workspace.yaml': 'overrides:\n  qs: 1.0.0\n  f: 1.0.0\n',
      'package.json': JSON.stringify({
        pnpm: { overrides: { 'a>b@>=1 <2': '1.0.0' } },
        resolutions: { '@s/c@<2>d': '1.0.0' },
      }),
    };
    expect(await overridesIn(files)).toEqual([
      'qs: pnpm-workspace.yaml overrides / qs',
      'b: package.json pnpm / overrides / a>b@>=1 <2',
      'd: package.json resolutions / @s/c@<2>d',
      'e: pnpm-workspace.yaml overrides / e',
    ]);
  });

  test('of Bun are in either field', async () => {
    const files = {
      'bun.lock': JSON.stringify({
        lockfileVersion: 1,
        workspaces: { '': { name: 'shop' } },
        packages: { qs: ['qs@1.0.0', '', {}, ''], a: ['a@1.0.0', '', {}, ''] },
      }),
      'package.json': JSON.stringify({ overrides: { qs: '1' }, resolutions: { a: '1' } }),
    };
    expect(await overridesIn(files)).toEqual(['qs: package.json overrides / qs', 'a: package.json resolutions / a']);
  });

  test.each(['{', '[]', '{"overrides":7}', '{"overrides":{"qs":7}}'])('are none in %s', async (manifest) => {
    const lock = JSON.stringify({ ...JSON.parse(npmLock('qs')), name: 'shop' });
    expect(await overridesIn({ 'package-lock.json': lock, 'package.json': manifest })).toEqual([]);
  });

  test('are none in a workspace file of pnpm that is broken', async () => {
    const lock = `lockfileVersion: '9.0'\npackages:\n  qs@1.0.0: {}\nsnapshots:\n  qs@1.0.0: {}\n`;
    expect(await overridesIn({ 'pnpm-lock.yaml': lock, 'pnpm-workspace.yaml': 'a: [' })).toEqual([]);
  });
});
