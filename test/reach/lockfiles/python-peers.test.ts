import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

const poetry = (packages: string) => `${packages}\n[metadata]\nlock-version = "2.1"\ncontent-hash = "0"\n`;
const entry = (name: string, rest = '') => `[[package]]\nname = "${name}"\nversion = "1.0"\ngroups = ["main"]\n${rest}`;

async function peers(files: Readonly<Record<string, unknown>>) {
  const { packages } = await readFrom(files);
  return Object.fromEntries(packages.flatMap(({ name, peers: each }) => (each === undefined ? [] : [[name, each]])));
}

test('extras of poetry.lock are peers, but for those of development', async () => {
  const host = entry(
    'Host',
    '[package.extras]\nfast = ["Speed_Up (>=1)", "absent"]\ndev = ["linter"]\nall = ["both"]\n',
  );
  const names = ['speed-up', 'linter', 'both'].map((name) => entry(name)).join('\n');
  expect(await peers({ 'poetry.lock': poetry(`${host}\n${names}`) })).toEqual({ Host: ['speed-up'] });
});

test.each([
  ['requirements.txt', 'redis==5.0.0\nhiredis==3.0.0\nflask==3.0.0\n'],
  ['Pipfile.lock', { _meta: {}, default: { redis: { version: '==5.0.0' }, hiredis: { version: '==3.0.0' } } }],
  [
    'pdm.lock',
    '[metadata]\nlock_version = "4.5"\n[[package]]\nname="redis"\nversion="5"\n[[package]]\nname="hiredis"\nversion="3"',
  ],
  [
    'pylock.toml',
    'lock-version="1.0"\n[[packages]]\nname="redis"\nversion="5"\n[[packages]]\nname="hiredis"\nversion="3"',
  ],
])('what a package is known to load by itself is its peer in %s', async (file, text) => {
  expect(await peers({ [file]: text })).toEqual({ redis: ['hiredis'] });
});

test('a pylock.toml without dependencies does not know the graph', async () => {
  const { packages } = await readFrom({ 'pylock.toml': 'lock-version="1.0"\n[[packages]]\nname="redis"\nversion="5"' });
  expect(packages.map(({ graph }) => graph)).toEqual([undefined]);
});
