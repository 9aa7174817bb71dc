import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/service/http/api-error.js';
import { directKnownOf, type GivenPackage, readGivenPackages } from '../../../src/service/tech-stack/given-packages.js';

function given(purl: string, more: Partial<GivenPackage> = {}): GivenPackage {
  return { purl, scope: 'runtime', ...more };
}

async function errorsOf(packages: readonly GivenPackage[]) {
  try {
    await readGivenPackages(packages);
  } catch (error) {
    if (error instanceof ApiError) return error.details.errors?.map(({ field, reason }) => [field, reason]);
    throw error;
  }
  throw new Error('nothing is rejected');
}

describe('the packages of a sync', () => {
  test('carry the name the registry compares beside their own', async () => {
    expect(
      await readGivenPackages([{ ecosystem: 'PyPI', name: 'Zope.Interface', version: '5.0', scope: 'runtime' }]),
    ).toEqual([
      {
        ecosystem: 'PyPI',
        name: 'Zope.Interface',
        package_name: 'zope-interface',
        version: '5.0',
        scope: 'runtime',
        direct: null,
        deprecated: null,
        bundled_in: null,
        ranges: null,
        asked_by: null,
        dependencies: [],
        dependencies_known: null,
        licences: [],
        hashes: [],
        supplier: null,
      },
    ]);
  });

  test('merge what is named twice: the strongest scope, direct if either is', async () => {
    const mentions = [
      given('pkg:npm/a@1.0.0', { scope: 'development', direct: false }),
      given('pkg:npm/a@1.0.0', { scope: 'optional', deprecated: 'use b' }),
      given('pkg:npm/a@1.0.0', { scope: 'runtime', direct: true }),
    ];
    for (const order of [mentions, mentions.toReversed()]) {
      expect(await readGivenPackages(order)).toMatchObject([{ scope: 'runtime', direct: true, deprecated: 'use b' }]);
    }
    const [weaker] = await readGivenPackages(mentions.slice(0, 2));
    expect(weaker).toMatchObject({ scope: 'optional', direct: false });
    expect(await readGivenPackages([given('pkg:npm/a@1.0.0'), given('pkg:npm/a@1.0.1')])).toHaveLength(2);
  });

  test('keep the range of each edge by what it leads to; an empty one is none', async () => {
    const packages = [
      given('pkg:npm/a@1.0.0', { dependencies: [1, 2, 0], ranges: ['^1', '', '*'] }),
      given('pkg:npm/b@1.0.0', { dependencies: [2], ranges: [''] }),
      given('pkg:npm/c@1.0.0', { dependencies: [], ranges: [] }),
      given('pkg:npm/a@1.0.0', { dependencies: [2], ranges: ['~2'] }),
    ];
    const stack = await readGivenPackages(packages);
    expect(stack.map(({ name, ranges }) => [name, ranges])).toEqual([
      ['a', { 'npm b 1.0.0': '^1', 'npm c 1.0.0': '~2' }],
      ['b', null],
      ['c', null],
    ]);
  });

  test('are rejected where the ranges are not those of the dependencies', async () => {
    const packages = [given('pkg:npm/a@1.0.0', { dependencies: [0], ranges: ['^1', '^2'] })];
    expect(await errorsOf(packages)).toEqual([['packages.0.ranges', undefined]]);
  });

  test('are rejected where two mentions contradict each other', async () => {
    const packages = [
      given('pkg:npm/a@1.0.0', { deprecated: 'use b' }),
      given('pkg:npm/a@1.0.0', { deprecated: 'use c' }),
    ];
    expect(await errorsOf(packages)).toEqual([['packages.1', 'duplicate']]);
  });

  test('are rejected with one error each, by place', async () => {
    expect(
      await errorsOf([
        given('pkg:npm/a@1.0.0'),
        given('pkg:deb/debian/curl@7.50.3-1'),
        given('pkg:npm/a'),
        given('pkg:npm/a@latest'),
        { ecosystem: 'npm', name: 'a', version: 'latest', scope: 'runtime' },
      ]),
    ).toEqual([
      ['packages.1.purl', 'purl_type'],
      ['packages.2.purl', 'purl_version'],
      ['packages.3.purl', 'not_a_version'],
      ['packages.4.version', 'not_a_version'],
    ]);
  });

  test('answer twenty errors at most', async () => {
    expect(await errorsOf(Array.from({ length: 1000 }, () => given('pkg:npm/a')))).toHaveLength(20);
  });

  test('carry what they depend on, by identity; of a package given twice both lists count', async () => {
    const read = await readGivenPackages([
      given('pkg:npm/a@1.0.0', { dependencies: [1, 0, 1] }),
      given('pkg:pypi/Zope.Interface@5.0', { dependencies: [], incomplete: true }),
      given('pkg:npm/a@1.0.0', { dependencies: [3] }),
      given('pkg:npm/b@1.0.0'),
    ]);
    expect(read).toMatchObject([
      { dependencies: ['PyPI zope-interface 5.0', 'npm b 1.0.0'], dependencies_known: 'complete' },
      { dependencies: [], dependencies_known: 'incomplete' },
      { dependencies: [], dependencies_known: null },
    ]);
  });

  test('are rejected where a dependency is none of them', async () => {
    const packages = [given('pkg:npm/a@1.0.0', { dependencies: [0, 1] })];
    await expect(readGivenPackages(packages)).rejects.toMatchObject({
      details: { errors: [{ field: 'packages.0.dependencies.1', message: 'is an index in packages, so at most 0' }] },
    });
  });

  test('say whose archive carries them, all mentions together', async () => {
    const read = await readGivenPackages([
      given('pkg:npm/npm@6.0.0'),
      given('pkg:npm/tar@4.0.0', { bundled_in: [0] }),
      given('pkg:npm/tar@4.0.0', { bundled_in: [3] }),
      given('pkg:npm/nyc@7.0.0', { bundled_in: [] }),
    ]);
    expect(read.map(({ bundled_in }) => bundled_in)).toEqual([null, ['npm npm 6.0.0', 'npm nyc 7.0.0'], []]);
    await expect(readGivenPackages([given('pkg:npm/a@1.0.0', { bundled_in: [1] })])).rejects.toMatchObject({
      details: { errors: [{ field: 'packages.0.bundled_in.0', message: 'is an index in packages, so at most 0' }] },
    });
  });

  test('name all direct dependencies only where the list shows what is not', async () => {
    const known = async (...packages: GivenPackage[]) => directKnownOf(await readGivenPackages(packages));
    const direct = given('pkg:npm/a@1.0.0', { direct: true });
    expect(await known(direct, given('pkg:npm/b@1.0.0', { direct: false }))).toBe('complete');
    expect(await known({ ...direct, dependencies: [] })).toBe('complete');
    expect(await known(direct)).toBeNull();
    expect(await known(direct, given('pkg:npm/b@1.0.0'))).toBeNull();
    expect(await known(given('pkg:npm/b@1.0.0', { direct: false, dependencies: [] }))).toBeNull();
  });

  test('keep a deprecation notice as one line', async () => {
    const [read] = await readGivenPackages([given('pkg:npm/a@1.0.0', { deprecated: ' use\u0000\n b ' })]);
    expect(read?.deprecated).toBe('use b');
    expect((await readGivenPackages([given('pkg:npm/a@1.0.0', { deprecated: ' \n ' })]))[0]?.deprecated).toBeNull();
  });
});
