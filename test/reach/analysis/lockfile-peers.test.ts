import { expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { folderWith } from '../folder.js';

async function read(files: Record<string, string>) {
  const { lockfiles, faults } = await readTreeLockfiles(await walkTree(folderWith(files)));
  expect(faults).toEqual([]);
  return Object.fromEntries(lockfiles.flatMap(({ packages }) => packages).map((found) => [found.key, found]));
}

test('npm: peers that are only named as optional count', async () => {
  const found = await read({
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        'node_modules/orm': {
          version: '1.0.0',
          peerDependencies: { driver: '*' },
          peerDependenciesMeta: { driver: {}, other: { optional: true } },
        },
        'node_modules/driver': { version: '1.0.0' },
      },
    }),
  });
  expect(found['node_modules/orm']?.peers).toEqual(['driver', 'other']);
  expect(found['node_modules/driver']?.peers).toBeUndefined();
});

test('pnpm: peers, and which workspaces ask for a version', async () => {
  const found = await read({
    'pnpm-lock.yaml': `lockfileVersion: '9.0'
importers:
  .:
    devDependencies:
      a: {specifier: ^1.0.0, version: 1.0.0}
  packages/web:
    dependencies:
      a: {specifier: ^2.0.0, version: 2.0.0(b@1.0.0)}
      old: {specifier: 'npm:a@^1', version: a@1.0.0}
packages:
  a@1.0.0: {resolution: {integrity: x}}
  a@2.0.0: {resolution: {integrity: x}, peerDependencies: {b: '*'}, peerDependenciesMeta: {c: {optional: true}}}
  b@1.0.0: {resolution: {integrity: x}}
snapshots:
  a@1.0.0: {}
  a@2.0.0(b@1.0.0): {dependencies: {b: 1.0.0}}
  b@1.0.0: {}
`,
  });
  expect(found['a@1.0.0']?.asked?.map(({ file }) => file)).toEqual(['package.json', 'packages/web/package.json']);
  expect(found['a@2.0.0']).toMatchObject({
    asked: [
      {
        file: 'packages/web/package.json',
        range: expect.toSatisfy((range) => range === null || typeof range === 'string'),
      },
    ],
    peers: ['b', 'c'],
    direct: true,
  });
  expect(found['b@1.0.0']?.asked).toBeUndefined();
});

test('Yarn 1: which workspaces of the tree ask for a version', async () => {
  const found = await read({
    'shop/yarn.lock': '# yarn lockfile v1\n\na@^1.0.0:\n  version "1.0.0"\n\na@^2.0.0:\n  version "2.0.0"\n',
    'shop/package.json': '{"workspaces": ["packages/*"], "dependencies": {"a": "^1.0.0"}}',
    'shop/packages/web/package.json': '{"dependencies": {"a": "^2.0.0"}}',
    'shop/packages/web/test/package.json': '{"dependencies": {"a": "^1.0.0"}}',
    'packages/other/package.json': '{"dependencies": {"a": "^1.0.0"}}',
  });
  expect(found['a@1.0.0']?.asked).toEqual([{ file: 'package.json', range: '^1.0.0' }]);
  expect(found['a@2.0.0']?.asked).toEqual([{ file: 'packages/web/package.json', range: '^2.0.0' }]);
});

test('Yarn 2 and later: peers', async () => {
  const found = await read({
    'yarn.lock': `__metadata:
  version: 8

"orm@npm:^1.0.0":
  version: 1.0.0
  resolution: "orm@npm:1.0.0"
  peerDependencies:
    driver: "*"
  languageName: node
  linkType: hard

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    orm: "npm:^1.0.0"
  languageName: unknown
  linkType: soft
`,
  });
  expect(found['orm@1.0.0']?.peers).toEqual(['driver']);
});

test('composer: what a package suggests are its peers, but not for development', async () => {
  const suggest = { 'acme/driver': 'to store files', 'ext-redis': 'for the cache' };
  const found = await read({
    'composer.lock': JSON.stringify({
      packages: [
        { name: 'acme/framework', version: '1.0.0', suggest },
        { name: 'acme/driver', version: '1.0.0' },
      ],
      'packages-dev': [{ name: 'acme/tests', version: '1.0.0', suggest }],
    }),
  });
  expect(found['acme/framework']?.peers).toEqual(['acme/driver']);
  expect(found['acme/tests']?.peers).toBeUndefined();
});
