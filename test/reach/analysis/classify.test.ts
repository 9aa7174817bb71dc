import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import type { TreeLockfile } from '../../../src/reach/analysis/tree-lockfiles.js';
import type { PackageSite, PackageUse } from '../../../src/reach/languages/language-reader.js';
import { lockfile, use } from './locked.js';

function usages(lockfiles: readonly TreeLockfile[], uses: readonly PackageUse[]): Record<string, string> {
  const { dependencies } = assemble(lockfiles, uses);
  return Object.fromEntries(dependencies.map(({ purl, usage }) => [purl.replace(/^pkg:\w+\//, ''), usage]));
}

const direct = { direct: true };

describe('the usage of one package', () => {
  const one = lockfile({ 'a@1.0.0': direct });
  const of = (...sites: Partial<PackageSite>[]) =>
    usages(
      [one],
      sites.map((more) => use('a', more)),
    )['a@1.0.0'];

  test.each<[string, Partial<PackageSite>[]]>([
    ['reached', [{}]],
    ['reached', [{ reached: false }, { role: 'test' }, {}]],
    ['imported', [{ reached: false }]],
    ['imported', [{ reached: false }, { typeOnly: true }]],
    ['imported', [{ kind: 'resolve', reached: false }]],
    ['mentioned', [{ kind: 'mention' }]],
    ['mentioned', [{ kind: 'mention', role: 'config' }]],
    ['mentioned', [{ typeOnly: true }, { kind: 'mention' }]],
    ['type_only', [{ typeOnly: true }]],
    ['type_only', [{ typeOnly: true }, { role: 'test' }]],
    ['tooling', [{ role: 'test' }]],
    ['tooling', [{ role: 'config' }]],
    ['tooling', [{ role: 'script' }]],
    ['tooling', [{ role: 'test', mock: true }]],
    ['tooling', [{ role: 'test', kind: 'mention' }]],
    ['unused', []],
  ])('%s: %j', (usage, sites) => {
    expect(of(...sites)).toBe(usage);
  });
});

describe('what the dependency graph says', () => {
  test('a used package makes transitive all that it leads to, an unused one leaves it unused', () => {
    const lock = lockfile({
      'used@1.0.0': { ...direct, needs: ['b@1.0.0'] },
      'b@1.0.0': { needs: ['c@1.0.0'] },
      'c@1.0.0': { needs: ['b@1.0.0'] },
      'helmet@1.0.0': { ...direct, needs: ['sniff@1.0.0', 'c@1.0.0'] },
      'sniff@1.0.0': direct,
    });
    expect(usages([lock], [use('used')])).toEqual({
      'used@1.0.0': 'reached',
      'b@1.0.0': 'transitive',
      'c@1.0.0': 'transitive',
      'helmet@1.0.0': 'unused',
      'sniff@1.0.0': 'unused',
    });
  });

  test('tooling brings in what it needs, too', () => {
    const lock = lockfile({ 'mocha@1.0.0': { ...direct, needs: ['ms@1.0.0'] }, 'ms@1.0.0': {} });
    expect(usages([lock], [use('mocha', { role: 'test' })])['ms@1.0.0']).toBe('transitive');
  });

  test('an ORM’s driver and a host’s plugin are mentioned, and so are theirs', () => {
    const lock = lockfile({
      'orm@1.0.0': { ...direct, peers: ['driver', 'other'] },
      'driver@1.0.0': { ...direct, peers: ['codec'] },
      'codec@1.0.0': direct,
      'plugin@1.0.0': { ...direct, peers: ['orm'] },
      'stranger@1.0.0': { ...direct, peers: ['nobody'] },
      'other@1.0.0': {},
    });
    expect(usages([lock], [use('orm')])).toEqual({
      'orm@1.0.0': 'reached',
      'driver@1.0.0': 'mentioned',
      'codec@1.0.0': 'mentioned',
      'plugin@1.0.0': 'mentioned',
      'stranger@1.0.0': 'unused',
      'other@1.0.0': 'unused',
    });
    expect(new Set(Object.values(usages([lock], [])))).toEqual(new Set(['unused']));
  });

  test('a driver that tests import is still what production may load; a peer of tooling is tooling', () => {
    const lock = lockfile({
      'orm@1.0.0': { ...direct, peers: ['driver'] },
      'driver@1.0.0': direct,
      'runner@1.0.0': { ...direct, peers: ['reporter'] },
      'reporter@1.0.0': direct,
    });
    const inTests = ['driver', 'runner'].map((name) => use(name, { role: 'test' }));
    expect(usages([lock], [use('orm'), ...inTests])).toMatchObject({
      'driver@1.0.0': 'mentioned',
      'reporter@1.0.0': 'tooling',
    });
  });

  test('a lock file that records no edges leaves nothing unused: others may need it', () => {
    const pip = { ecosystem: 'PyPI', direct: true } as const;
    const lock = lockfile({ 'flask@3.0.0': pip, 'werkzeug@3.0.0': pip }, { kind: 'requirements.txt' });
    expect(usages([lock], [{ ...use('Flask'), ecosystem: 'PyPI' }])).toEqual({
      'flask@3.0.0': 'reached',
      'werkzeug@3.0.0': 'transitive',
    });
  });
});

test('more files never make a used package unused, nor its use less', () => {
  const order = ['unused', 'transitive', 'tooling', 'type_only', 'mentioned', 'imported', 'reached'];
  const names = ['a', 'b', 'c', 'd', 'e'];
  const name = fc.constantFrom(...names);
  const anyUse = fc
    .record({
      name,
      role: fc.constantFrom('prod' as const, 'test' as const, 'config' as const, 'script' as const),
      kind: fc.constantFrom('import' as const, 'mention' as const),
      reached: fc.boolean(),
      typeOnly: fc.boolean(),
      mock: fc.boolean(),
    })
    .map(({ name, ...more }) => use(name, more));
  const graph = fc.record(
    Object.fromEntries(
      names.map((each) => [
        `${each}@1.0.0`,
        fc.record({
          direct: fc.boolean(),
          needs: fc.array(name.map((needed) => `${needed}@1.0.0`)),
          peers: fc.array(name),
        }),
      ]),
    ),
  );
  fc.assert(
    fc.property(graph, fc.array(anyUse), fc.array(anyUse), (packages, some, others) => {
      const lock = lockfile(packages);
      const [before, after] = [usages([lock], some), usages([lock], [...some, ...others])];
      for (const [purl, usage] of Object.entries(before)) {
        expect(order.indexOf(after[purl] ?? '')).toBeGreaterThanOrEqual(order.indexOf(usage));
      }
    }),
    { numRuns: 300 },
  );
});
