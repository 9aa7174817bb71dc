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
