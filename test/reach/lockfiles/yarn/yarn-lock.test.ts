import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, test } from 'vitest';
import { dataFile, hasData } from '../../../support/data.js';
import { asksIn, byKey, rangesIn, readFrom, readReal, scopes } from '../reading.js';

describe.skipIf(!hasData)('a real yarn.lock of Yarn 1', () => {
  test('gives every entry, with its name and version', async () => {
    const { packages, skipped } = await readReal('lockfiles/defectdojo-yarn.lock', 'yarn.lock');
    const text = readFileSync(dataFile('lockfiles/defectdojo-yarn.lock'), 'utf8');
    const expected = [...text.matchAll(/^"?(@?[^@\s"]+)@[^\n]*:\n {2}version "(.*)"$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
    expect(expected).toHaveLength(text.match(/^ {2}version /gm)?.length ?? 0);
    expect(packages.map(({ key }) => key)).toEqual(expected);
    expect(skipped).toEqual([]);
    // Every dependency line leads to an entry.
    const edges = text.match(/^ {4}\S/gm)?.length ?? 0;
    expect(packages.flatMap(({ dependencies }) => dependencies)).toHaveLength(edges);
    expect(packages.every(({ direct, scope }) => direct === null && scope === 'runtime')).toBe(true);
  });

  test('gives every edge its range, which the locked version satisfies', async () => {
    const { packages } = await readReal('lockfiles/defectdojo-yarn.lock', 'yarn.lock');
    const versions = new Map(packages.map(({ key, version }) => [key, version]));
    const edges = packages.flatMap(({ dependencies, ranges }) =>
      dependencies.map((needed) => ({ needed, version: versions.get(needed) ?? '', range: ranges?.get(needed) })),
    );
    expect(edges).toHaveLength(159);
    expect(edges.filter(({ version, range = '' }) => range === '' || !satisfies(version, range))).toEqual([]);
  });
});

const classic = `# yarn lockfile v1

"@s/a@^1.0.0", "@s/a@~1.0.1":
  version "1.0.2"
  resolved "https://registry.example.org/@s/a/-/a-1.0.2.tgz#abc"
  integrity sha512-abc==
  dependencies:
    b "^1.0.0"
  optionalDependencies:
    native ">= 1 < 2"

b@^1.0.0, b@1.x:
  version "1.5.0"

native@>= 1 < 2:
  version "1.0.0"

"native@>= 1 < 2":
  version "1.0.0"

"old@npm:lodash@^3.0.0":
  version "3.10.1"

"fork@git+https://example.org/fork.git#main":
  version "2.0.0"

dev@^1.0.0:
  version "1.0.0"
  dependencies:
    b "1.x"
    deeper "*"

deeper@*:
  version "1.0.0"
`.replace('native@>= 1 < 2:\n  version "1.0.0"\n\n', '');

const manifest = {
  dependencies: { '@s/a': '^1.0.0', old: 'npm:lodash@^3.0.0', fork: 'git+https://example.org/fork.git#main' },
  devDependencies: { dev: '^1.0.0' },
};

describe('yarn.lock of Yarn 1', () => {
  test('takes scopes and what is direct from package.json', async () => {
    const read = await readFrom({ 'yarn.lock': classic, 'package.json': manifest });
    expect(scopes(read)).toEqual({
      '@s/a@1.0.2': 'runtime',
      'b@1.5.0': 'runtime',
      'native@1.0.0': 'optional',
      'lodash@3.10.1': 'runtime',
      'fork@2.0.0': 'runtime',
      'dev@1.0.0': 'development',
      'deeper@1.0.0': 'development',
    });
    expect(byKey(read)).toMatchObject({
      '@s/a@1.0.2': { direct: true, dependencies: ['b@1.5.0', 'native@1.0.0'] },
      'b@1.5.0': { direct: false },
      'lodash@3.10.1': { direct: true },
      'dev@1.0.0': { direct: true, dependencies: ['b@1.5.0', 'deeper@1.0.0'] },
    });
  });

  test('takes all as runtime without package.json, or with workspaces that the file does not name', async () => {
    const alone = await readFrom({ 'yarn.lock': classic });
    expect(alone.packages.every(({ scope, direct }) => scope === 'runtime' && direct === null)).toBe(true);
    const read = await readFrom({ 'yarn.lock': classic, 'package.json': { ...manifest, workspaces: ['packages/*'] } });
    expect(read.packages.every(({ scope }) => scope === 'runtime')).toBe(true);
    expect(byKey(read)).toMatchObject({ 'dev@1.0.0': { direct: true }, 'b@1.5.0': { direct: null } });
  });

  test('takes the ranges of edges from the file, and those of the root from package.json', async () => {
    const read = await readFrom({ 'yarn.lock': classic, 'package.json': manifest });
    expect(rangesIn(read)).toEqual([
      '@s/a@1.0.2 -> b@1.5.0: ^1.0.0',
      '@s/a@1.0.2 -> native@1.0.0: >= 1 < 2',
      'dev@1.0.0 -> b@1.5.0: 1.x',
      'dev@1.0.0 -> deeper@1.0.0: *',
    ]);
    expect(asksIn(read)).toEqual([
      'package.json -> @s/a@1.0.2: ^1.0.0',
      'package.json -> lodash@3.10.1: npm:lodash@^3.0.0',
      'package.json -> fork@2.0.0: git+https://example.org/fork.git#main',
      'package.json -> dev@1.0.0: ^1.0.0',
    ]);
  });

  test('takes scopes, what is direct and who asks for it from the workspaces whose manifests are there', async () => {
    const workspaces = { packages: ['packages/*', '!packages/old', 'tools/**', './app'] };
    const read = await readFrom({
      'yarn.lock': classic,
      'package.json': { workspaces, dependencies: { '@s/a': '~1.0.1' } },
      'packages/web/package.json': { dependencies: { '@s/a': '^1.0.0', own: '*' }, devDependencies: { dev: '^1.0.0' } },
      'packages/old/package.json': { dependencies: { dev: '^1.0.0' } },
      'packages/web/node_modules/x/package.json': { dependencies: { dev: '^1.0.0' } },
      'tools/a/b/package.json': { devDependencies: { dev: '^1.0.0' } },
      'app/package.json': { optionalDependencies: { old: 'npm:lodash@^3.0.0' }, peerDependencies: { deeper: '*' } },
    });
    expect(asksIn(read)).toEqual([
      'package.json -> @s/a@1.0.2: ~1.0.1',
      'packages/web/package.json -> @s/a@1.0.2: ^1.0.0',
      'app/package.json -> lodash@3.10.1: npm:lodash@^3.0.0',
      'packages/web/package.json -> dev@1.0.0: ^1.0.0',
      'tools/a/b/package.json -> dev@1.0.0: ^1.0.0',
    ]);
    expect(scopes(read)).toMatchObject({
      'dev@1.0.0': 'development',
      'lodash@3.10.1': 'optional',
      'b@1.5.0': 'runtime',
    });
    expect(byKey(read)).toMatchObject({ 'dev@1.0.0': { direct: true }, 'b@1.5.0': { direct: false } });
  });

  test.each([
    ['a pattern that finds none', ['packages/*', 'apps/*']],
    ['a pattern that leads outside', ['packages/*', '../*']],
    ['a pattern that means nothing', ['packages/*', '.']],
    ['more patterns than are read', Array.from({ length: 501 }, () => 'packages/*')],
    ['something else than patterns', 'packages/*'],
  ])('with workspaces by %s, nobody is said to ask', async (_what, workspaces) => {
    const read = await readFrom({
      'yarn.lock': classic,
      'package.json': { ...manifest, workspaces },
      'packages/web/package.json': { devDependencies: { dev: '^1.0.0' } },
    });
    expect(asksIn(read)).toEqual([]);
    expect(byKey(read)).toMatchObject({
      'dev@1.0.0': { direct: true, scope: 'runtime' },
      'b@1.5.0': { direct: null, scope: 'runtime' },
    });
  });

  test('an empty one has no packages, with Windows line ends too', async () => {
    expect((await readFrom({ 'yarn.lock': '# yarn lockfile v1\r\n\r\n' })).packages).toEqual([]);
    expect((await readFrom({ 'yarn.lock': classic.replaceAll('\n', '\r\n') })).packages).toHaveLength(7);
  });

  test.each([
    ['{}', 'line 1: expected an entry such as'],
    ['a@1:\n  version\n', 'line 2: expected a field'],
    ['  version "1"\n', 'line 1: expected an entry before'],
    ['a@1:\n  version "1\n', 'line 2: expected words'],
    ['a@1:\n    b "1"\n', 'line 2: expected a field'],
    ['# nothing\n', 'is not a yarn.lock'],
  ])('%j is refused', async (text, message) => {
    await expect(readFrom({ 'yarn.lock': text })).rejects.toThrow(message);
  });

  test('a package.json that is broken is named', async () => {
    await expect(readFrom({ 'yarn.lock': classic, 'package.json': '{' })).rejects.toThrow(
      /package\.json: line 1, column 2: is not JSON/,
    );
  });
});

const berry = `
__metadata:
  version: 8
  cacheKey: 10

"@s/a@npm:^1.0.0":
  version: 1.0.2
  resolution: "@s/a@npm:1.0.2"
  dependencies:
    b: "npm:^1.0.0"
    native: "npm:^1.0.0"
  dependenciesMeta:
    native:
      optional: true
  checksum: 10/abc
  languageName: node
  linkType: hard

"b@npm:1.x, b@npm:^1.0.0":
  version: 1.10
  resolution: "b@npm:1.10.0"

"native@npm:^1.0.0":
  version: 1.0.0
  resolution: "native@npm:1.0.0"

"old@npm:lodash@^3.0.0":
  version: 3.10.1
  resolution: "lodash@npm:3.10.1"

"typescript@npm:^5.0.0":
  version: 5.9.2
  resolution: "typescript@npm:5.9.2"

"typescript@patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript>":
  version: 5.9.2
  resolution: "typescript@patch:typescript@npm%3A5.9.2#optional!builtin<compat/typescript>::version=5.9.2&hash=5786d5"

"fork@https://example.org/fork.git#commit=abc":
  version: 2.0.0
  resolution: "fork@https://example.org/fork.git#commit=abc"

"ssh@git@example.org:a/ssh.git":
  version: 4.0.0
  resolution: "ssh@git@example.org:a/ssh.git#commit=abc"

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    "@s/a": ^1.0.0
    own: "workspace:*"
    typescript: "npm:^5.0.0"

"own@workspace:*, own@workspace:packages/own":
  version: 0.0.0-use.local
  resolution: "own@workspace:packages/own"
  dependencies:
    old: "npm:lodash@^3.0.0"
    fork: "https://example.org/fork.git#commit=abc"
`.replace('version: 1.10\n', 'version: 1.10.0\n');

describe('yarn.lock of Yarn 2 and later', () => {
  test('knows the workspaces, and by their package.json what is for development', async () => {
    const read = await readFrom({
      'yarn.lock': berry,
      'package.json': { dependencies: { '@s/a': '^1.0.0' }, devDependencies: { typescript: '^5.0.0' } },
      'packages/own/package.json': { devDependencies: { old: 'npm:lodash@^3.0.0' } },
    });
    expect(byKey(read)).toEqual({
      '@s/a@1.0.2': {
        name: '@s/a',
        version: '1.0.2',
        scope: 'runtime',
        direct: true,
        deprecated: null,
        dependencies: ['b@1.10.0', 'native@1.0.0'],
      },
      'b@1.10.0': { name: 'b', version: '1.10.0', scope: 'runtime', direct: false, deprecated: null, dependencies: [] },
      'native@1.0.0': {
        name: 'native',
        version: '1.0.0',
        scope: 'optional',
        direct: false,
        deprecated: null,
        dependencies: [],
      },
      'lodash@3.10.1': {
        name: 'lodash',
        version: '3.10.1',
        scope: 'development',
        direct: true,
        deprecated: null,
        dependencies: [],
      },
      'typescript@5.9.2': {
        name: 'typescript',
        version: '5.9.2',
        scope: 'development',
        direct: true,
        deprecated: null,
        dependencies: [],
      },
      'ssh@4.0.0': {
        name: 'ssh',
        version: '4.0.0',
        scope: 'runtime',
        direct: false,
        deprecated: null,
        dependencies: [],
      },
      'fork@2.0.0': {
        name: 'fork',
        version: '2.0.0',
        scope: 'runtime',
        direct: true,
        deprecated: null,
        dependencies: [],
      },
    });
    expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 2 }]);
  });

  test('has the ranges of edges and workspaces, without the protocol of the registry', async () => {
    const patched = 'patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript>';
    const text = berry.replace('    b: "npm:^1.0.0"\n', `    b: "npm:^1.0.0"\n    typescript: "${patched}"\n`);
    const read = await readFrom({ 'yarn.lock': text });
    expect(rangesIn(read)).toEqual([
      '@s/a@1.0.2 -> b@1.10.0: ^1.0.0',
      `@s/a@1.0.2 -> typescript@5.9.2: ${patched}`,
      '@s/a@1.0.2 -> native@1.0.0: ^1.0.0',
    ]);
    expect(asksIn(read)).toEqual([
      'package.json -> @s/a@1.0.2: ^1.0.0',
      'packages/own/package.json -> lodash@3.10.1: npm:lodash@^3.0.0',
      'package.json -> typescript@5.9.2: ^5.0.0',
      'packages/own/package.json -> fork@2.0.0: https://example.org/fork.git#commit=abc',
    ]);
  });

  test('takes what a workspace without package.json needs as runtime', async () => {
    const read = await readFrom({ 'yarn.lock': berry });
    expect(scopes(read)['typescript@5.9.2']).toBe('runtime');
  });

  test('reads no manifest outside the folder of the lock file', async () => {
    const text = berry.replaceAll('packages/own', '../../etc');
    expect((await readFrom({ 'yarn.lock': text })).packages).toHaveLength(7);
  });

  test.each([
    ['__metadata: 1', '__metadata: expected object'],
    ['__metadata:\n  version: 8\n"a@npm:1":\n  version: 1.0.0\n', 'a@npm:1.resolution: is required'],
  ])('%j is refused', async (text, message) => {
    await expect(readFrom({ 'yarn.lock': text })).rejects.toThrow(message);
  });
});
