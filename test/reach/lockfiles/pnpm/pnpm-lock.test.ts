import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, test } from 'vitest';
import { dataFile, hasData } from '../../../support/data.js';
import { asksIn, byKey, readFrom, readReal, scopes } from '../reading.js';

describe.skipIf(!hasData)('a real pnpm-lock.yaml of 51 importers', () => {
  const text = () => readFileSync(dataFile('lockfiles/trpc/pnpm-lock.yaml'), 'utf8');
  /** The lines of one top-level section, so that counting needs no YAML reader. */
  const section = (name: string) =>
    text()
      .split(new RegExp(`^${name}:$`, 'm'))[1]
      ?.split(/^\S/m)[0]
      ?.split('\n') ?? [];
  const keys = (lines: readonly string[]) =>
    lines.flatMap((line) => /^ {2}'?([^\s'][^']*?)'?:(?: \{\})?$/.exec(line)?.[1] ?? []);

  test('gives each package once, with its name and version', async () => {
    const { packages, skipped } = await readReal('lockfiles/trpc/pnpm-lock.yaml', 'pnpm-lock.yaml');
    const expected = keys(section('packages'));
    expect(expected).toHaveLength(3845);
    expect(packages.map(({ name, version }) => `${name}@${version}`)).toEqual(expected);
    expect(packages.map(({ key }) => key)).toEqual(expected);
    expect(skipped).toEqual([]);
  });

  test('agrees with the scopes that pnpm 12 gives', async () => {
    const { packages } = await readReal('lockfiles/trpc/pnpm-lock.yaml', 'pnpm-lock.yaml');
    const count = (scope: string) => packages.filter((found) => found.scope === scope).length;
    // `pnpm sbom -r --lockfile-only` of 12.21.0: 2,596 components with --prod --no-optional, 3,845 without; 2,900 with
    // --prod alone, where pnpm leaves out three optional peers that only development installs (@playwright/test).
    expect(count('runtime')).toBe(2596);
    expect(count('runtime') + count('optional')).toBe(2900 + 3);
  });

  test('marks as optional no package that the file does not', async () => {
    const { packages } = await readReal('lockfiles/trpc/pnpm-lock.yaml', 'pnpm-lock.yaml');
    // pnpm writes `optional: true` on what no required edge of any importer reaches, development's included.
    const instances: { key: string; optional: boolean }[] = [];
    for (const line of section('snapshots')) {
      const [key] = keys([line]);
      if (key !== undefined) instances.push({ key: key.replace(/\(.*/, ''), optional: false });
      const last = instances.at(-1);
      if (last !== undefined && line === '    optional: true') last.optional = true;
    }
    const required = new Set(instances.filter(({ optional }) => !optional).map(({ key }) => key));
    const marked = packages.filter(({ key }) => !required.has(key));
    expect(marked.length).toBeGreaterThan(200);
    expect(marked.filter(({ scope }) => scope === 'runtime')).toEqual([]);
  });

  test('knows what the importers ask for', async () => {
    const { packages } = await readReal('lockfiles/trpc/pnpm-lock.yaml', 'pnpm-lock.yaml');
    const asked = new Set<string>();
    let name = '';
    for (const line of section('importers')) {
      name = /^ {6}'?([^\s']+?)'?:$/.exec(line)?.[1] ?? name;
      const version = /^ {8}version: '?([^('\s]+)/.exec(line)?.[1];
      if (version !== undefined && !version.startsWith('link:'))
        asked.add(/.@/.test(version) ? version : `${name}@${version}`);
    }
    expect(
      packages
        .filter(({ direct }) => direct)
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...asked].sort());
  });

  test('has the range that each of its importers asks for, and the locked version satisfies it', async () => {
    const { packages } = await readReal('lockfiles/trpc/pnpm-lock.yaml', 'pnpm-lock.yaml');
    const asks = packages.flatMap(({ version, asked = [] }) => asked.map((each) => ({ version, ...each })));
    // Two of the 51 ask for nothing, or for folders of the project alone.
    expect(new Set(asks.map(({ file }) => file)).size).toBe(49);
    const isTaken = ({ version, range }: (typeof asks)[number]) =>
      range !== null && satisfies(version, range.replace(/^npm:.+@/, ''));
    expect(asks.filter((each) => !isTaken(each))).toEqual([]);
  });
});

const version9 = `
lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      lodash3: {specifier: 'npm:lodash@^3', version: lodash@3.10.1}
      own: {specifier: 'workspace:*', version: link:packages/own}
      peered: {specifier: ^1.0.0, version: 1.0.0(react@18.0.0)}
    devDependencies:
      tool: {specifier: ^1.0.0, version: 1.0.0}
    optionalDependencies:
      native: {specifier: ^1.0.0, version: 1.0.0}
  packages/own:
    dependencies:
      peered: {specifier: ^1.0.0, version: 1.0.0(react@19.0.0)}
      fork: {specifier: github:a/fork, version: 'https://codeload.example.org/a/fork/tar.gz/abc'}
      packed: {specifier: 'file:packed.tgz', version: 'file:packed.tgz'}
      injected: {specifier: 'workspace:*', version: 'file:packages/injected'}
packages:
  lodash@3.10.1: {resolution: {integrity: sha512-a}, deprecated: use 4}
  peered@1.0.0: {resolution: {integrity: sha512-b}}
  react@18.0.0: {resolution: {integrity: sha512-c}}
  react@19.0.0: {resolution: {integrity: sha512-d}}
  '@s/tool@1.0.0': {resolution: {integrity: sha512-t}}
  tool@1.0.0: {resolution: {integrity: sha512-e}}
  native@1.0.0: {resolution: {integrity: sha512-f}}
  fork@https://codeload.example.org/a/fork/tar.gz/abc: {resolution: {tarball: x}, version: 2.0.0}
  packed@file:packed.tgz: {resolution: {tarball: 'file:packed.tgz'}, version: 3.0.0}
  injected@file:packages/injected: {resolution: {directory: packages/injected, type: directory}}
snapshots:
  lodash@3.10.1: {}
  peered@1.0.0(react@18.0.0): {dependencies: {react: 18.0.0}}
  peered@1.0.0(react@19.0.0): {dependencies: {react: 19.0.0}}
  react@18.0.0: {}
  react@19.0.0: {dependencies: {peered: 1.0.0(react@19.0.0)}}
  tool@1.0.0: {dependencies: {'@s/tool': 1.0.0, lodash3: lodash@3.10.1}}
  '@s/tool@1.0.0': {dependencies: {tool: 1.0.0}}
  native@1.0.0: {}
  fork@https://codeload.example.org/a/fork/tar.gz/abc: {optionalDependencies: {native: 1.0.0}}
  packed@file:packed.tgz: {}
  injected@file:packages/injected: {}
`;

/** The same project as pnpm 8 wrote it. */
const version6 = `
lockfileVersion: '6.0'
dependencies:
  lodash3: {specifier: 'npm:lodash@^3', version: /lodash@3.10.1}
  peered: {specifier: ^1.0.0, version: 1.0.0(react@18.0.0)}
  fork: {specifier: github:a/fork, version: github.com/a/fork/abc}
devDependencies:
  tool: {specifier: ^1.0.0, version: 1.0.0}
packages:
  /lodash@3.10.1: {resolution: {integrity: sha512-a}, dev: false}
  /peered@1.0.0(react@18.0.0): {resolution: {integrity: sha512-b}, dependencies: {react: 18.0.0}, dev: false}
  /react@18.0.0: {resolution: {integrity: sha512-c}, dev: false}
  /tool@1.0.0: {resolution: {integrity: sha512-e}, dependencies: {'@s/tool': 1.0.0}, dev: true}
  /@s/tool@1.0.0: {resolution: {integrity: sha512-e}, dev: true}
  github.com/a/fork/abc: {resolution: {tarball: x}, name: fork, version: 2.0.0, dev: false}
`;

describe('pnpm-lock.yaml', () => {
  test('of version 9: aliases, peers, workspaces, tarballs and optional packages', async () => {
    const read = await readFrom({ 'pnpm-lock.yaml': version9 });
    const found = byKey(read);
    expect(scopes(read)).toEqual({
      'lodash@3.10.1': 'runtime',
      'peered@1.0.0': 'runtime',
      'react@18.0.0': 'runtime',
      'react@19.0.0': 'runtime',
      '@s/tool@1.0.0': 'development',
      'tool@1.0.0': 'development',
      'native@1.0.0': 'optional',
      'fork@2.0.0': 'runtime',
      'packed@3.0.0': 'runtime',
    });
    expect(found['lodash@3.10.1']).toMatchObject({ direct: true, deprecated: 'use 4' });
    expect(found['peered@1.0.0']).toMatchObject({ direct: true, dependencies: ['react@18.0.0', 'react@19.0.0'] });
    expect(found['react@19.0.0']).toMatchObject({ direct: false, dependencies: ['peered@1.0.0'] });
    expect(found['fork@https://codeload.example.org/a/fork/tar.gz/abc']).toMatchObject({
      name: 'fork',
      direct: true,
      dependencies: ['native@1.0.0'],
    });
    expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
  });

  test('says who asks for what: of an alias the whole text of its manifest, and the name of a catalog', async () => {
    const catalog = version9.replace('tool: {specifier: ^1.0.0', "tool: {specifier: 'catalog:tools'");
    expect(asksIn(await readFrom({ 'pnpm-lock.yaml': catalog }))).toEqual([
      'package.json -> lodash@3.10.1: npm:lodash@^3',
      'package.json -> peered@1.0.0: ^1.0.0',
      'packages/own/package.json -> peered@1.0.0: ^1.0.0',
      'package.json -> tool@1.0.0: catalog:tools',
      'package.json -> native@1.0.0: ^1.0.0',
      'packages/own/package.json -> fork@https://codeload.example.org/a/fork/tar.gz/abc: github:a/fork',
      'packages/own/package.json -> packed@file:packed.tgz: file:packed.tgz',
    ]);
  });

  test('of version 6, with the sections of the one project at the top', async () => {
    const read = await readFrom({ 'pnpm-lock.yaml': version6 });
    expect(scopes(read)).toEqual({
      'lodash@3.10.1': 'runtime',
      'peered@1.0.0': 'runtime',
      'react@18.0.0': 'runtime',
      'tool@1.0.0': 'development',
      '@s/tool@1.0.0': 'development',
      'fork@2.0.0': 'runtime',
    });
    expect(byKey(read)['peered@1.0.0']).toMatchObject({ direct: true, dependencies: ['react@18.0.0'] });
  });

  test('of pnpm 11 and later, where a document about pnpm itself comes first', async () => {
    const about =
      "---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    packageManagerDependencies: {pnpm: {specifier: 12.0.0, version: 12.0.0}}\npackages:\n  pnpm@12.0.0: {}\n---";
    const { packages } = await readFrom({ 'pnpm-lock.yaml': `${about}${version9}` });
    expect(packages.map(({ name }) => name)).not.toContain('pnpm');
    expect(packages).toHaveLength(9);
  });

  test.each([
    ["lockfileVersion: '5.4'", 'lockfileVersion: is 5.4; expected 6, 7 or 9'],
    ['a: 1', 'lockfileVersion: is required'],
    ['', 'the file: is required (object)'],
    ["lockfileVersion: '9.0'\npackages: []", 'packages: expected record, received array'],
    [
      "lockfileVersion: '9.0'\nimporters: {.: {dependencies: {a: {version: []}}}}",
      'importers...dependencies.a.version: expected string',
    ],
  ])('%j is refused', async (text, message) => {
    await expect(readFrom({ 'pnpm-lock.yaml': text })).rejects.toThrow(message);
  });
});
