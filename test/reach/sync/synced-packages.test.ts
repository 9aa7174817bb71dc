import { expect, test } from 'vitest';
import type { LockedPackage } from '../../../src/reach/lockfiles/package-list.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';

function locked(key: string, name: string, more: Partial<LockedPackage> = {}): LockedPackage {
  const plain = { ecosystem: 'npm', version: '1.0.0', scope: 'runtime', direct: false, deprecated: null } as const;
  return { ...plain, key, name, dependencies: [], graph: 'complete', ...more };
}

test('copies of a package become one, which needs what any of them needs', () => {
  const sent = syncedPackages([
    locked('a', 'a', { dependencies: ['a/b', 'c'] }),
    locked('a/b', 'b', { dependencies: ['c'] }),
    locked('b', 'b', { dependencies: ['a', 'a/b'] }),
    locked('c', 'c', { graph: 'incomplete' }),
  ]);
  expect(sent.map(({ name, dependencies, incomplete }) => ({ name, dependencies, incomplete }))).toEqual([
    { name: 'a', dependencies: [1, 2], incomplete: undefined },
    { name: 'b', dependencies: [2, 0], incomplete: undefined },
    { name: 'c', dependencies: [], incomplete: true },
  ]);
});

test('a lock file without a graph sends none', () => {
  const { graph: _, ...flat } = locked('a', 'a');
  expect(syncedPackages([flat])).toEqual([
    { ecosystem: 'npm', name: 'a', version: '1.0.0', scope: 'runtime', direct: false },
  ]);
});

test('a package says whose archive carries any of its copies', () => {
  const sent = syncedPackages([
    locked('npm', 'npm'),
    locked('tar', 'tar'),
    locked('npm/tar', 'tar', { bundledIn: 'npm' }),
    locked('lost', 'lost', { bundledIn: 'skipped' }),
  ]);
  expect(sent.map(({ name, bundled_in }) => ({ name, bundled_in }))).toEqual([
    { name: 'npm', bundled_in: undefined },
    { name: 'tar', bundled_in: [0] },
    { name: 'lost', bundled_in: [] },
  ]);
});

test('the range of each edge goes with it; of several copies the first that says one counts', () => {
  const ranges = (...pairs: ReadonlyArray<readonly [string, string]>) => new Map(pairs);
  const sent = syncedPackages([
    locked('a', 'a', {
      dependencies: ['b', 'c', 'lost', 'a2'],
      ranges: ranges(['c', '^1'], ['lost', '^9'], ['a2', '*']),
    }),
    locked('a2', 'a', { dependencies: ['c', 'c2', 'b'], ranges: ranges(['c', '^2'], ['c2', '^3'], ['b', '~1.0']) }),
    locked('b', 'b', { dependencies: ['a'], ranges: ranges() }),
    locked('c', 'c'),
    locked('c2', 'c', { version: '2.0.0' }),
  ]);
  expect(sent.map(({ name, version, dependencies, ranges }) => ({ name, version, dependencies, ranges }))).toEqual([
    { name: 'a', version: '1.0.0', dependencies: [1, 2, 3], ranges: ['~1.0', '^1', '^3'] },
    { name: 'b', version: '1.0.0', dependencies: [0], ranges: undefined },
    { name: 'c', version: '1.0.0', dependencies: [], ranges: undefined },
    { name: 'c', version: '2.0.0', dependencies: [], ranges: undefined },
  ]);
});

test.each([
  ['too long', `^${'1'.repeat(200)}`],
  ['with a control character', '^1\u0000'],
  ['with half a surrogate pair', '^1\ud800'],
  ['blank', ' '],
])('a range that is %s is not sent, so that the rest of the sync is accepted', (_what, range) => {
  const sent = syncedPackages([
    locked('a', 'a', {
      dependencies: ['b', 'c'],
      ranges: new Map([
        ['b', range],
        ['c', '^1'],
      ]),
    }),
    locked('b', 'b', { dependencies: ['c'], ranges: new Map([['c', range]]) }),
    locked('c', 'c', {
      asked: [
        { file: 'package.json', range },
        { file: range, range: '^1' },
      ],
    }),
  ]);
  expect(sent.map(({ ranges, asked_by }) => ({ ranges, asked_by }))).toEqual([
    { ranges: ['', '^1'], asked_by: undefined },
    { ranges: undefined, asked_by: undefined },
    { ranges: undefined, asked_by: [{ file: 'package.json', range: null }] },
  ]);
});

test('what overrides a package goes before what asks for it', () => {
  const overriddenBy = [
    { file: 'package.json', key: 'a', fields: ['pnpm', 'overrides'], value: '1.0.0' },
    { file: 'package.json', key: 'a'.repeat(200), fields: ['resolutions'], value: null },
  ];
  const [sent] = syncedPackages([locked('a', 'a', { overriddenBy, asked: [{ file: 'package.json', range: '^1' }] })]);
  expect(sent?.asked_by).toEqual([
    { file: 'package.json', range: '1.0.0', override: 'pnpm.overrides: "a"' },
    { file: 'package.json', range: '^1' },
  ]);
});
