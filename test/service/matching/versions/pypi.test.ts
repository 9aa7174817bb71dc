import { describe, expect, test } from 'vitest';
import { isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { expectAscending, expectEqual } from './order.js';

describe('PyPI', () => {
  test('orders the suffixes as PEP 440 does ("Summary of permitted suffixes and relative ordering")', () => {
    expectAscending('PyPI', [
      '1.dev0',
      '1.0.dev456',
      '1.0a1',
      '1.0a2.dev456',
      '1.0a12.dev456',
      '1.0a12',
      '1.0b1.dev456',
      '1.0b2',
      '1.0b2.post345.dev456',
      '1.0b2.post345',
      '1.0rc1.dev456',
      '1.0rc1',
      '1.0',
      '1.0+abc.5',
      '1.0+abc.7',
      '1.0+5',
      '1.0.post456.dev34',
      '1.0.post456',
      '1.0.15',
      '1.1.dev1',
    ]);
  });

  test('puts an epoch before everything', () => {
    expectAscending('PyPI', ['2013.10', '2014.04', '1!1.0', '1!1.1', '1!2.0']);
  });

  test('pads releases with zeros', () => {
    expectEqual('PyPI', ['1', '1.0', '1.0.0', '0!1']);
    expectAscending('PyPI', ['0.9', '0.9.1', '0.9.2', '0.9.10', '0.9.11', '1.0', '1.0.1', '1.1', '2.0', '2.0.1']);
  });

  test.each([
    ['1.1.a1', '1.1a1'],
    ['1.1-a1', '1.1_A_1', '1.1.alpha-1', '1.1alpha1', '1.1ALPHA.1'],
    ['1.1b2', '1.1beta2', '1.1-beta.2'],
    ['1.1rc3', '1.1c3', '1.1.pre3', '1.1-preview_3', '1.1RC3'],
    ['1.2a', '1.2a0'],
    ['1.0.post4', '1.0-4', '1.0.r4', '1.0-rev4', '1.0post4', '1.0_post-4'],
    ['1.2.post', '1.2.post0'],
    ['1.2.dev2', '1.2-dev2', '1.2dev2', '1.2_dev_2'],
    ['1.2.dev', '1.2.dev0'],
    ['1.0+ubuntu.1', '1.0+ubuntu-1', '1.0+UBUNTU_1', '1.0+ubuntu.01'],
    ['1.0', 'v1.0', '  1.0\n', 'V1.0'],
  ])('normalises %s and its spellings', (...spellings) => {
    expectEqual('PyPI', spellings);
  });

  test('orders local labels: none, words, numbers, longer ones', () => {
    expectAscending('PyPI', ['1.0', '1.0+abc', '1.0+abc.1', '1.0+b', '1.0+1', '1.0+1.abc', '1.0+1.1', '1.0+2']);
  });

  test('counts development releases among the pre-releases, post-releases not', () => {
    expect(['1.0a1', '1.0.dev1', '1.0.post1.dev1', '1.0rc1.post1'].map((each) => isPrerelease('PyPI', each))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['1.0', '1.0.post1', '1.0+local.dev'].map((each) => isPrerelease('PyPI', each))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each(['2004d', '1.0-final', '1.0.', '.1', '1.0a1b2', '1.0+', '1.0+a..b', '1.0+a+b', 'latest', ''])(
    'does not call %j a version',
    (text) => {
      expect(isVersion('PyPI', text)).toBe(false);
    },
  );
});
