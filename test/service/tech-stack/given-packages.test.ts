import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/service/http/api-error.js';
import { type GivenPackage, readGivenPackages } from '../../../src/service/tech-stack/given-packages.js';

function given(purl: string, more: Partial<GivenPackage> = {}): GivenPackage {
  return { purl, scope: 'runtime', ...more };
}

function errorsOf(packages: readonly GivenPackage[]) {
  try {
    readGivenPackages(packages);
  } catch (error) {
    if (error instanceof ApiError) return error.details.errors?.map(({ field, reason }) => [field, reason]);
    throw error;
  }
  throw new Error('nothing is rejected');
}

describe('the packages of a sync', () => {
  test('carry the name the registry compares beside their own', () => {
    expect(
      readGivenPackages([{ ecosystem: 'PyPI', name: 'Zope.Interface', version: '5.0', scope: 'runtime' }]),
    ).toEqual([
      {
        ecosystem: 'PyPI',
        name: 'Zope.Interface',
        package_name: 'zope-interface',
        version: '5.0',
        scope: 'runtime',
        direct: null,
        deprecated: null,
      },
    ]);
  });

  test('merge what is named twice: the strongest scope, direct if either is', () => {
    const mentions = [
      given('pkg:npm/a@1.0.0', { scope: 'development', direct: false }),
      given('pkg:npm/a@1.0.0', { scope: 'optional', deprecated: 'use b' }),
      given('pkg:npm/a@1.0.0', { scope: 'runtime', direct: true }),
    ];
    for (const order of [mentions, mentions.toReversed()]) {
      expect(readGivenPackages(order)).toMatchObject([{ scope: 'runtime', direct: true, deprecated: 'use b' }]);
    }
    const [weaker] = readGivenPackages(mentions.slice(0, 2));
    expect(weaker).toMatchObject({ scope: 'optional', direct: false });
    expect(readGivenPackages([given('pkg:npm/a@1.0.0'), given('pkg:npm/a@1.0.1')])).toHaveLength(2);
  });

  test('are rejected where two mentions contradict each other', () => {
    const packages = [
      given('pkg:npm/a@1.0.0', { deprecated: 'use b' }),
      given('pkg:npm/a@1.0.0', { deprecated: 'use c' }),
    ];
    expect(errorsOf(packages)).toEqual([['packages.1', 'duplicate']]);
  });

  test('are rejected with one error each, by place', () => {
    expect(
      errorsOf([
        given('pkg:npm/a@1.0.0'),
        given('pkg:deb/debian/curl@7.50.3-1'),
        given('pkg:npm/a'),
        given('pkg:npm/a@latest'),
        { ecosystem: 'npm', name: 'a', version: 'latest', scope: 'runtime' },
      ]),
    ).toEqual([
      ['packages.1.purl', 'not_a_purl'],
      ['packages.2.purl', 'not_a_purl'],
      ['packages.3.purl', 'not_a_version'],
      ['packages.4.version', 'not_a_version'],
    ]);
  });

  test('answer twenty errors at most', () => {
    expect(errorsOf(Array.from({ length: 1000 }, () => given('pkg:npm/a')))).toHaveLength(20);
  });

  test('keep a deprecation notice as one line', () => {
    const [read] = readGivenPackages([given('pkg:npm/a@1.0.0', { deprecated: ' use\u0000\n b ' })]);
    expect(read?.deprecated).toBe('use b');
    expect(readGivenPackages([given('pkg:npm/a@1.0.0', { deprecated: ' \n ' })])[0]?.deprecated).toBeNull();
  });
});
