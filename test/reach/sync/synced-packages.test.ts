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
