import { describe, expect, test } from 'vitest';
import { isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { expectAscending, expectEqual } from './order.js';

describe('Packagist', () => {
  test('orders stabilities: dev, alpha, beta, RC, release, patch', () => {
    expectAscending('Packagist', [
      '1.0.0-dev',
      '1.0.0-alpha1-dev',
      '1.0.0-alpha1',
      '1.0.0-alpha2',
      '1.0.0-alpha10',
      '1.0.0-beta',
      '1.0.0-beta2',
      '1.0.0-RC1',
      '1.0.0-RC15',
      '1.0.0',
      '1.0.0-patch1',
      '1.0.0-p2',
      '1.0.0.1',
      '1.0.1',
      '1.10',
      '2.0.0-dev',
      '2.0',
    ]);
  });

  test.each([
    ['1', '1.0', '1.0.0', '1.0.0.0', 'v1.0', '1.0.0+build.5', '1.0-stable', '1.0.0@dev', ' 1.0 '],
    ['1.0.0RC1', '1.0.0-rc1', '1.0.0.RC.1', '1.0.0_RC-1'],
    ['1.0.0-beta5', '1.0.0b5', '1.0.0.beta.5', '1.0.0-b-5'],
    ['1.0.0a1', '1.0.0-alpha1', '1-ALPHA.1'],
    ['1.2-p1', '1.2.0-patch1', '1.2pl1'],
    ['1.0.0RC1dev', '1.0.0.0-RC1-dev'],
    ['20100102', 'v20100102'],
    ['20100102-203040', '20100102.203040'],
    ['1.x-dev', '1.9999999.9999999.9999999-dev', '1.*-dev'],
  ])('normalises %s and its spellings', (...spellings) => {
    expectEqual('Packagist', spellings);
  });

  test('keeps a numeric branch above the versions it holds', () => {
    expectAscending('Packagist', ['1.99.0', '1.x-dev', '2.0.0-alpha1', '2.0.0']);
  });

  test('orders dates', () => {
    expectAscending('Packagist', ['20100101', '20100102', '20100102-203040', '20110101']);
  });

  test('calls numeric branches and unstable versions pre-releases, patches not', () => {
    expect(['1.x-dev', '1.0-RC1', '1.0a'].every((each) => isPrerelease('Packagist', each))).toBe(true);
    expect(['1.0', '1.0-p1', '1.0-stable'].some((each) => isPrerelease('Packagist', each))).toBe(false);
  });

  test.each([
    '',
    'a',
    '1.0.0-meh',
    '1.0.0.0.0',
    'feature-foo',
    '1.0 .2',
    'dev-',
    '^1.0',
    `1.0-beta${'1'.repeat(200)}x`,
  ])('does not call %j a version', (text) => {
    expect(isVersion('Packagist', text)).toBe(false);
  });
});
