import { describe, expect, test } from 'vitest';
import { knownVersions } from '../../../../src/service/intelligence/known-versions.js';
import { type Affected, isAffected } from '../../../../src/service/matching/affected.js';
import { nearestSafeVersion } from '../../../../src/service/matching/safe-version.js';
import {
  compareVersions,
  isComparable,
  isOneRelease,
  isVersion,
} from '../../../../src/service/matching/versions/index.js';
import { type Ecosystem, ecosystems } from '../../../../src/shared/packages/ecosystem.js';

/** What stands where a version should, and has no place in the ecosystem's order. `installed`: its tool installs it under this name. */
const incomparable: Readonly<
  Record<Ecosystem, { readonly texts: readonly string[]; readonly installed?: readonly string[] }>
> = {
  npm: {
    texts: [
      'latest',
      'next',
      '*',
      '^1.2.3',
      '1.x',
      'git+https://example.org/a.git#1.2.3',
      'npm:other@1.2.3',
      'file:../a',
      'link:../a',
      'workspace:*',
      'github:acme/a#1.2.3',
      'https://example.org/a-1.2.3.tgz',
      '>=1.0.0 <2.0.0',
      '1.2.3 || 2.0.0',
      'x',
    ],
  },
  PyPI: {
    texts: [
      '2004d',
      'latest',
      '1.0-custom',
      '===1.0',
      '>=2.0',
      '==2.*',
      '1.0.*',
      '1.0-SNAPSHOT',
      '1.0+',
      'file:///a-1.0.whl',
      'git+https://example.org/a.git',
      '${version}',
    ],
  },
  Go: {
    texts: [
      '(devel)',
      'latest',
      'master',
      'v0.0.0-00010101000000-000000000000',
      'upgrade',
      'none',
      'go1.22.3',
      '1.22rc1',
      'daa7c04131f5',
    ],
    installed: ['v0.0.0-00010101000000-000000000000'],
  },
  'crates.io': { texts: ['*', '^1.2', '~1.2.3', '1.*', '>=1, <2', 'git+https://example.org/a#abc', 'latest'] },
  Maven: {
    texts: [
      '${version}',
      '${project.version}',
      '@project.version@',
      'LATEST',
      'RELEASE',
      '[1.0,2.0)',
      'latest.release',
      '1.+',
      'unspecified',
      'latest.integration',
      '${revision}${changelist}',
      '(,1.0]',
      '[1.0]',
      '1.0, 2.0',
    ],
  },
  RubyGems: { texts: ['~> 1.2', '>= 0', '1.0.0 x86', '1.0+build', 'latest', 'git', 'main'] },
  NuGet: { texts: ['1.*', '*', '[1.0, 2.0)', '(1.0,)', '$(Version)', '1.0.0-*', '1.0.0.0.0', 'v1.0'] },
  Packagist: {
    texts: [
      'dev-master',
      'dev-main',
      'dev-Feature/x',
      'dev-1.x',
      'dev-main#3f1c9a',
      'dev-release/1.2',
      'dev-master as 1.2.5',
      '9999999-dev',
      '9999999.9999999.9999999.9999999-dev',
      'master',
      'dev-master as 1.2.x-dev',
      '^1.2',
      '1.2.*',
      'self.version',
    ],
    installed: [
      'dev-master',
      'dev-main',
      'dev-Feature/x',
      'dev-1.x',
      'dev-main#3f1c9a',
      'dev-release/1.2',
      'dev-master as 1.2.5',
      '9999999-dev',
      '9999999.9999999.9999999.9999999-dev',
      'master',
      'dev-master as 1.2.x-dev',
    ],
  },
};

const ranged = (...events: Affected['ranges'][number]['events']): Affected => ({
  ranges: [{ type: 'ECOSYSTEM', events }],
  versions: [],
});

describe.each(ecosystems)('%s', (ecosystem) => {
  const { texts, installed = [] } = incomparable[ecosystem];

  test.each(texts)('%s is in no range that ends, and in each that has every version', (text) => {
    expect(isComparable(ecosystem, text)).toBe(false);
    expect(isVersion(ecosystem, text)).toBe(installed.includes(text));
    expect(compareVersions(ecosystem, text, '1.0.0')).toBeNull();
    expect(isAffected(ecosystem, text, ranged({ introduced: '0' }, { fixed: '9999.0.0' }))).toBe(false);
    expect(isAffected(ecosystem, text, ranged({ introduced: '0' }, { last_affected: '9999.0.0' }))).toBe(false);
    expect(isAffected(ecosystem, text, ranged({ introduced: '0.1.0' }))).toBe(false);
    expect(isAffected(ecosystem, text, ranged({ introduced: '0' }))).toBe(true);
    expect(isAffected(ecosystem, text, ranged({ introduced: '0' }, { limit: '*' }))).toBe(true);
    expect(isAffected(ecosystem, text, { ranges: [], versions: [text] })).toBe(true);
    expect(isAffected(ecosystem, text, { ranges: [], versions: ['1.0.0'] })).toBe(false);
  });

  test.each(texts)('%s is never safe, and has no version above it', (text) => {
    const entries = [ranged({ introduced: '0' }, { fixed: '2.0.0' })];
    expect(nearestSafeVersion(ecosystem, text, entries)).toBeNull();
    expect(nearestSafeVersion(ecosystem, text, [])).toBeNull();
    expect(nearestSafeVersion(ecosystem, '1.0.0', [ranged({ introduced: '0' }, { fixed: text })])).toBeNull();
    expect(knownVersions(ecosystem, text, { entries, tracked: [] }).above).toBeNull();
  });
});

test('a numeric branch of Composer is above what it holds, and no branch by name is', () => {
  const order = ['2.1.9', '2.1.x-dev', '2.2.0-alpha1', '2.x-dev', '3.0.0-dev'];
  for (const [nth, each] of order.slice(1).entries()) {
    expect(compareVersions('Packagist', order[nth] ?? '', each)).toBeLessThan(0);
  }
  expect(compareVersions('Packagist', '2.1.x-dev', '2.1.9999999.9999999-dev')).toBe(0);
});

test.each(['2.1.x-dev', '2.x-dev', 'v2.1.*-dev'])(
  '%s can be affected, and is never safe: it may be older than its fix',
  (branch) => {
    const fixedIn = (version: string) => [ranged({ introduced: '0' }, { fixed: version })];
    expect(isAffected('Packagist', branch, fixedIn('3.0.0')[0] ?? ranged())).toBe(true);
    expect(nearestSafeVersion('Packagist', branch, fixedIn('3.0.0'))).toBe('3.0.0');
    expect(isAffected('Packagist', branch, fixedIn('2.0.1')[0] ?? ranged())).toBe(false);
    expect(nearestSafeVersion('Packagist', branch, fixedIn('2.0.1'))).toBeNull();
    expect(nearestSafeVersion('Packagist', branch, [])).toBeNull();
    expect(nearestSafeVersion('Packagist', '1.0.0', fixedIn(branch))).toBeNull();
    expect([isComparable('Packagist', branch), isOneRelease('Packagist', branch)]).toEqual([true, false]);
  },
);

test('a pseudo-version of Go is comparable, and so is a snapshot of Maven', () => {
  expect(isComparable('Go', 'v0.0.0-20191109021931-daa7c04131f5')).toBe(true);
  expect(isComparable('Maven', '1.0-SNAPSHOT')).toBe(true);
  expect(isComparable('Maven', 'Hoxton.RELEASE')).toBe(true);
});
