import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

const url = 'https://registry.example/a/-/a-1.0.0.tgz';
const sha1 = 'sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=';

test.each([
  [
    'npm',
    {
      'package-lock.json': {
        lockfileVersion: 3,
        packages: { 'node_modules/a': { version: '1.0.0', resolved: url, integrity: 'sha512-x' } },
      },
    },
    { url, integrity: 'sha512-x' },
  ],
  [
    'npm, version 1',
    {
      'package-lock.json': {
        lockfileVersion: 1,
        dependencies: { a: { version: '1.0.0', resolved: url, integrity: 'sha1-x' } },
      },
    },
    { url, integrity: 'sha1-x' },
  ],
  [
    'pnpm',
    {
      'pnpm-lock.yaml':
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\nsnapshots:\n  a@1.0.0: {}\n",
    },
    { url: null, integrity: 'sha512-x' },
  ],
  [
    'Yarn 1',
    { 'yarn.lock': `# yarn lockfile v1\na@^1:\n  version "1.0.0"\n  resolved "${url}#aaaa"\n  integrity sha512-x\n` },
    { url, integrity: 'sha512-x' },
  ],
  [
    'Yarn 1 before integrity',
    {
      'yarn.lock': `# yarn lockfile v1\na@^1:\n  version "1.0.0"\n  resolved "${url}#a9993e364706816aba3e25717850c26c9cd0d89d"\n`,
    },
    { url, integrity: sha1 },
  ],
  [
    'bun',
    { 'bun.lock': '{"lockfileVersion":1,"workspaces":{"":{}},"packages":{"a":["a@1.0.0","",{},"sha512-x"]}}' },
    { url: null, integrity: 'sha512-x' },
  ],
  [
    'Yarn 2, whose digest is of another archive',
    {
      'yarn.lock':
        '__metadata:\n  version: 8\n"a@npm:^1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  checksum: 10c0/abc\n',
    },
    undefined,
  ],
] as const)('where %s has the archive of a package', async (_, files, tarball) => {
  const { packages } = await readFrom(files);
  expect(packages.map((found) => found.tarball)).toEqual([tarball]);
});
