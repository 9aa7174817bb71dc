import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import type { FoundGap } from '../../../src/reach/analysis/found-gap.js';
import type { WireDependency } from '../../../src/reach/analysis/site-evidence.js';
import type { TreeLockfile } from '../../../src/reach/analysis/tree-lockfiles.js';
import type { PackageSite, PackageUse } from '../../../src/reach/languages/language-reader.js';
import { gap, lockfile, use } from './locked.js';

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

  test('what only tooling brings in is tooling', () => {
    const lock = lockfile({ 'mocha@1.0.0': { ...direct, needs: ['ms@1.0.0'] }, 'ms@1.0.0': {} });
    expect(usages([lock], [use('mocha', { role: 'test' })])['ms@1.0.0']).toBe('tooling');
    expect(usages([lock], [use('mocha', { typeOnly: true })])['ms@1.0.0']).toBe('tooling');
  });

  test('so is what the configuration of a development tool names and only development installs', () => {
    const named = (scope: 'development' | 'runtime', file: string) =>
      usages(
        [lockfile({ 'plugin@1.0.0': { ...direct, scope, needs: ['ms@1.0.0'] }, 'ms@1.0.0': { scope } })],
        [use('plugin', { kind: 'mention', role: 'config', file })],
      );
    const tooling = { 'plugin@1.0.0': 'tooling', 'ms@1.0.0': 'tooling' };
    const maybe = { 'plugin@1.0.0': 'mentioned', 'ms@1.0.0': 'transitive' };
    expect(named('development', 'Gruntfile.js')).toEqual(tooling);
    expect(named('development', 'web/.eslintrc.json')).toEqual(tooling);
    expect(named('development', 'nuxt.config.ts')).toEqual(maybe);
    expect(named('runtime', 'Gruntfile.js')).toEqual(maybe);
  });

  test('so is what is only for development, with all that it brings in', () => {
    const lock = lockfile({
      'formatter@1.0.0': { ...direct, scope: 'development', needs: ['ms@1.0.0'] },
      'ms@1.0.0': { scope: 'development' },
    });
    expect(usages([lock], [])).toEqual({ 'formatter@1.0.0': 'tooling', 'ms@1.0.0': 'tooling' });
  });

  test.each<[string, Partial<PackageSite>]>([
    ['a test that imports it', { role: 'test' }],
    ['an import of its types', { typeOnly: true }],
    ['a configuration that imports it', { role: 'config' }],
    ['a mock of it', { role: 'test', mock: true }],
  ])('%s does not lower what a used package brings in', (_, more) => {
    const lock = lockfile({ 'used@1.0.0': { ...direct, needs: ['lodash@4.17.11'] }, 'lodash@4.17.11': {} });
    const { dependencies } = assemble([lock], [use('used'), use('lodash', more)]);
    expect(dependencies.find(({ purl }) => purl.includes('lodash'))).toMatchObject({
      usage: 'transitive',
      confidence: 'high',
      gaps: [],
    });
  });

  test('a development scope does not lower what called code brings in', () => {
    const lock = lockfile({
      'ui@1.0.0': { ...direct, scope: 'development', needs: ['vue@3.0.0'] },
      'vue@3.0.0': { scope: 'development', needs: ['shared@3.0.0'] },
      'shared@3.0.0': { scope: 'development' },
    });
    expect(usages([lock], [use('ui')])).toEqual({
      'ui@1.0.0': 'reached',
      'vue@3.0.0': 'transitive',
      'shared@3.0.0': 'transitive',
    });
  });

  test('each package takes its best path, so that certain use comes before possible use', () => {
    const lock = lockfile({
      'named@1.0.0': { ...direct, needs: ['both@1.0.0', 'maybe@1.0.0'] },
      'used@1.0.0': { ...direct, needs: ['both@1.0.0'] },
      'both@1.0.0': { peers: ['driver'] },
      'maybe@1.0.0': {},
      'driver@1.0.0': direct,
    });
    const { dependencies } = assemble([lock], [use('named', { kind: 'mention' }), use('used')]);
    const found = dependencies.map(({ purl, usage, confidence }) => [purl.slice(8, -6), usage, confidence]);
    expect(found).toEqual([
      ['both', 'transitive', 'high'],
      ['driver', 'mentioned', 'low'],
      ['maybe', 'transitive', 'low'],
      ['named', 'mentioned', 'low'],
      ['used', 'reached', 'high'],
    ]);
  });

  test('a plugin that only development installs is tooling, unless production uses what development installs', () => {
    const lock = lockfile({
      'host@1.0.0': direct,
      'plugin@1.0.0': { ...direct, scope: 'development', peers: ['host'] },
      'helper@1.0.0': { ...direct, scope: 'development' },
    });
    expect(usages([lock], [use('host')])['plugin@1.0.0']).toBe('tooling');
    expect(usages([lock], [use('host'), use('helper')])['plugin@1.0.0']).toBe('mentioned');
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
    const lock = lockfile({ 'flask@3.0.0': pip, 'werkzeug@3.0.0': pip }, { path: 'requirements.txt' });
    expect(usages([lock], [{ ...use('Flask'), ecosystem: 'PyPI' }])).toEqual({
      'flask@3.0.0': 'reached',
      'werkzeug@3.0.0': 'transitive',
    });
    const [, werkzeug] = assemble([lock], [{ ...use('Flask'), ecosystem: 'PyPI' }]).dependencies;
    expect(werkzeug).toMatchObject({
      confidence: 'low',
      gaps: ['requirements.txt does not say what its packages depend on'],
    });
  });

  test('a lock file without edges, of which only tests use a package, brings tooling in', () => {
    const pip = { ecosystem: 'PyPI', direct: true } as const;
    const lock = lockfile({ 'pytest@8.0.0': pip, 'pluggy@1.0.0': pip }, { path: 'requirements.txt' });
    const tested = { ...use('pytest', { role: 'test' }), ecosystem: 'PyPI' } as const;
    expect(usages([lock], [tested])).toEqual({ 'pytest@8.0.0': 'tooling', 'pluggy@1.0.0': 'tooling' });
    expect(usages([lock], [])).toEqual({ 'pytest@8.0.0': 'unused', 'pluggy@1.0.0': 'unused' });
  });
});

const classes = ['unused', 'tooling', 'not_loaded', 'not_analyzed', 'transitive', 'loaded', 'imported', 'reached'];

/** The class that a verdict can give at most low: below `transitive` only where no gap hides a use. */
function rank({ usage, gaps = [] }: Pick<WireDependency, 'usage' | 'gaps'>): number {
  const same: Record<string, string> = { mentioned: 'transitive', type_only: 'tooling' };
  const own = classes.indexOf(same[usage] ?? usage);
  return gaps.length > 0 ? Math.max(own, classes.indexOf('transitive')) : own;
}

describe('more evidence never lowers a class', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const name = fc.constantFrom(...names);
  const key = name.map((each) => `${each}@1.0.0`);
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
  const hides = fc.oneof(fc.constant('any' as const), fc.array(name, { maxLength: 2 }));
  const kind = fc.constantFrom('unknown_dynamic' as const, 'unowned_import' as const, 'unread_file' as const);
  const anyGap = fc.record({ hides, kind }).map((more): FoundGap => ({ ...gap, ...more }));
  const packages = fc.record(
    Object.fromEntries(
      names.map((each) => [
        `${each}@1.0.0`,
        fc.record({
          direct: fc.constantFrom(true, false, null),
          scope: fc.constantFrom('runtime' as const, 'development' as const, 'optional' as const),
          needs: fc.array(key, { maxLength: 3 }),
          peers: fc.array(name, { maxLength: 2 }),
        }),
      ]),
    ),
  );
  const anyEvidence = fc.record({
    packages,
    uses: fc.array(anyUse, { maxLength: 5 }),
    gaps: fc.array(anyGap, { maxLength: 2 }),
    loaded: fc.array(name, { maxLength: 2 }),
    edges: fc.array(fc.record({ from: key, to: key }), { maxLength: 4 }),
  });
  type Given = typeof anyEvidence extends fc.Arbitrary<infer T> ? T : never;

  function ranks(given: Given, ecosystem: 'npm' | 'PyPI', followed: boolean): Map<string, number> {
    const { packages, uses, gaps, loaded, edges } = given;
    const withEdges = Object.fromEntries(
      Object.entries(packages).map(([identity, { needs, ...more }]) => {
        const added = edges.flatMap(({ from, to }) => (from === identity ? [to] : []));
        return [identity, { ...more, ecosystem, needs: [...needs, ...added] }];
      }),
    );
    const { dependencies } = assemble(
      [lockfile(withEdges)],
      uses.map((each) => ({ ...each, ecosystem })),
      {
        gaps: gaps.map((each) => ({ ...each, ecosystem })),
        loading: [
          {
            kind: 'installed',
            loaded: loaded.map((each) => ({ ecosystem, name: each, version: null, chain: [] })),
            followed: followed ? [ecosystem] : [],
            gaps: [],
          },
        ],
      },
    );
    return new Map(dependencies.map((each) => [each.purl, rank(each)]));
  }

  test.each([
    ['with edges', 'npm', false],
    ['without edges', 'PyPI', false],
    ['with edges, where the dependencies were followed', 'npm', true],
    ['without edges, where the dependencies were followed', 'PyPI', true],
  ] as const)('%s', (_, ecosystem, followed) => {
    const isWithoutEdges = ecosystem === 'PyPI';
    fc.assert(
      fc.property(anyEvidence, anyEvidence, (some, more) => {
        const bare = Object.fromEntries(
          Object.entries(some.packages).map(([id, each]) => [id, { ...each, needs: [] }]),
        );
        const first = isWithoutEdges ? { ...some, packages: bare, edges: [] } : some;
        const before = ranks(first, ecosystem, followed);
        const joined = {
          packages: first.packages,
          uses: [...first.uses, ...more.uses],
          gaps: [...first.gaps, ...more.gaps],
          loaded: [...first.loaded, ...more.loaded],
          edges: isWithoutEdges ? [] : [...first.edges, ...more.edges],
        };
        // What starts where nothing was followed before is followed now: that is no evidence but a better search.
        const isStart = ({ site }: PackageUse) => site.reached && site.role === 'prod' && !site.typeOnly && !site.mock;
        const kept = {
          ...joined,
          loaded: first.loaded,
          uses: joined.uses.filter((each) => first.uses.includes(each) || !isStart(each)),
        };
        const after = ranks(followed ? kept : joined, ecosystem, followed);
        for (const [purl, value] of before) expect(after.get(purl), purl).toBeGreaterThanOrEqual(value);
      }),
      { numRuns: 200 },
    );
  });
});
