import { describe, expect, test } from 'vitest';
import { compareVersions, isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { expectAscending, expectEqual } from './order.js';

/** https://semver.org/spec/v2.0.0.html, section 11. */
const specification = [
  ['1.0.0', '2.0.0', '2.1.0', '2.1.1'],
  [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
  ],
];

describe.each(['npm', 'Go', 'crates.io', 'NuGet'] as const)('%s', (ecosystem) => {
  test('follows the precedence of the SemVer specification', () => {
    for (const versions of specification) expectAscending(ecosystem, versions);
  });

  test('ignores build metadata', () => {
    expectEqual(ecosystem, ['1.0.0', '1.0.0+20130313144700', '1.0.0+exp.sha.5114f85']);
    expectEqual(ecosystem, ['1.0.0-beta', '1.0.0-beta+exp.sha-5']);
  });

  test('compares numbers as numbers, however long', () => {
    expectAscending(ecosystem, [
      '1.2.0',
      '1.10.0',
      '1.10.9007199254740993',
      '1.10.9007199254740994',
      '99999999999999999999.0.0',
    ]);
  });

  test('reads the shortened bounds that advisories hold', () => {
    expectEqual(ecosystem, ['4', '4.0', '4.0.0']);
  });

  test('knows a pre-release by its label', () => {
    expect(isPrerelease(ecosystem, '1.0.0-rc.1')).toBe(true);
    expect(isPrerelease(ecosystem, '1.0.0+rc.1')).toBe(false);
    expect(isPrerelease(ecosystem, 'nonsense-1')).toBe(false);
  });

  test.each(['', ' ', 'latest', '1.', '1..2', '1.0.0-', '1.0.0-a..b', '^1.0.0', '1.x', 'file:../a', 'a'.repeat(300)])(
    'does not call %j a version',
    (text) => {
      expect(isVersion(ecosystem, text)).toBe(false);
      expect(compareVersions(ecosystem, text, '1.0.0')).toBeNull();
      expect(compareVersions(ecosystem, '1.0.0', text)).toBeNull();
    },
  );
});

describe('npm', () => {
  test('reads what node-semver reads in loose mode', () => {
    expectEqual('npm', ['1.2.3', 'v1.2.3', '=1.2.3', '= v1.2.3', ' 1.2.3 ', '01.02.03']);
    expectEqual('npm', ['1.2.3-beta', '1.2.3beta', 'v1.2.3beta+build']);
  });

  test('refuses a fourth number, as the registry does', () => {
    expect(isVersion('npm', '1.2.3.4')).toBe(false);
  });
});

describe('Go', () => {
  test('orders pseudo-versions below the release they lead to, and by time', () => {
    expectAscending('Go', [
      'v0.0.0-20180904163835-0709b304e793',
      'v0.0.0-20191109021931-daa7c04131f5',
      'v1.2.3',
      'v1.2.4-0.20191109021931-daa7c04131f5',
      'v1.2.4-pre',
      'v1.2.4-pre.0.20191109021931-daa7c04131f5',
      'v1.2.4',
    ]);
  });

  test('takes +incompatible for build metadata and the v as optional', () => {
    expectEqual('Go', ['v20.10.7+incompatible', '20.10.7', 'v20.10.7']);
  });
});

describe('NuGet', () => {
  test('has a fourth number, zero where it is missing', () => {
    expectEqual('NuGet', ['1', '1.0', '1.0.0', '1.0.0.0', '1.00.0.0']);
    expectAscending('NuGet', ['1.0.0', '1.0.0.1-alpha', '1.0.0.1', '1.0.1']);
    expect(isVersion('NuGet', '1.0.0.0.0')).toBe(false);
  });

  test('does not regard case in labels', () => {
    expectEqual('NuGet', ['1.0.0-RC1', '1.0.0-rc1+Meta']);
    expectAscending('NuGet', [
      '1.0.1-alpha10',
      '1.0.1-alpha2',
      '1.0.1-Beta',
      '1.0.1-open',
      '1.0.1-RC',
      '1.0.1-zzz',
      '1.0.1',
    ]);
  });
});
