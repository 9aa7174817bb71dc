import { describe, expect, test } from 'vitest';
import { isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { expectAscending, expectEqual } from './order.js';

/** Lists and pairs after ComparableVersionTest of maven-artifact 3.9; each was also put to the class itself. */
describe('Maven', () => {
  test('orders qualifiers: known ones by age, unknown ones after them, numbers last', () => {
    expectAscending('Maven', [
      '1-alpha2snapshot',
      '1-alpha2',
      '1-alpha-123',
      '1-beta-2',
      '1-beta123',
      '1-m2',
      '1-m11',
      '1-rc',
      '1-cr2',
      '1-rc123',
      '1-SNAPSHOT',
      '1',
      '1-sp',
      '1-sp2',
      '1-sp123',
      '1-abc',
      '1-def',
      '1-pom-1',
      '1-1-snapshot',
      '1-1',
      '1-2',
      '1-123',
    ]);
  });

  test('orders numbers of any length', () => {
    expectAscending('Maven', [
      '2.0',
      '2.0.a',
      '2-1',
      '2.0.2',
      '2.0.123',
      '2.1.0',
      '2.1-a',
      '2.1b',
      '2.1-c',
      '2.1-1',
      '2.1.0.1',
      '2.2',
      '2.123',
      '11.a2',
      '11.a11',
      '11.b2',
      '11.b11',
      '11.m2',
      '11.m11',
      '11',
      '11.a',
      '11b',
      '11c',
      '11m',
    ]);
    expectAscending('Maven', [
      '20190126.230843',
      '20190126230843',
      '123456789012345.1H.5-beta',
      '12345678901234567890.1H.5-beta',
    ]);
  });

  test.each([
    ['1', '1.0', '1.0.0', '1-0', '1.0-0', '1-ga', '1.0.ga', '1-final', '1-FINAL', '1.release', '1.0.RELEASE', '1.'],
    ['1a1', '1-alpha-1', '1-a1', '1.0a1', '1.0.0-a1'],
    ['1b2', '1-beta-2', '1.0-b2'],
    ['1m3', '1-milestone-3', '1.MILESTONE3'],
    ['1-rc4', '1-cr4', '1CR4', '1.0.RC4'],
    ['1x', '1.0.0-x', '1.x', '1.0.0X'],
    ['1.0.0x1', '1-x-1', '1.0.x1'],
    ['1-0.alpha', '1.0-0.alpha'],
    ['0.0-2-RC', '0-2-rc'],
  ])('reads %s and its spellings as one version', (...spellings) => {
    expectEqual('Maven', spellings);
  });

  test('trims nulls from the innermost list outwards', () => {
    expectAscending('Maven', ['1-rc', '1-ga-ga', '1-sp', '1-1']);
    expectAscending('Maven', ['1.0-rc', '1.0.0-0.0-ga', '1-sp']);
  });

  test('orders what libraries publish', () => {
    expectAscending('Maven', ['9.4.0.M1', '9.4.0.RC3', '9.4.0.v20161208', '9.4.10.v20180503', '9.4.11.v20180605']);
    expectAscending('Maven', ['5.0.0.M1', '5.0.0.RC4', '5.0.0.RELEASE', '5.0.1.RELEASE', '5.3.18']);
    expectAscending('Maven', ['2.0-beta9', '2.0-rc1', '2.0', '2.12.1', '2.15.0', '2.17.1']);
    expectAscending('Maven', ['31.1-android', '31.1-jre', '32.0.0-android', '32.0.0-jre']);
  });

  test('knows a pre-release by its qualifier', () => {
    expect(['1-SNAPSHOT', '1.0-M1', '2.0.RC1', '1b2', '1-alpha.1'].every((each) => isPrerelease('Maven', each))).toBe(
      true,
    );
    expect(['1', '1.Final', '1-jre', '1-sp', '1.0b'].some((each) => isPrerelease('Maven', each))).toBe(false);
  });

  test.each(['', ' ', '[1.0,2.0)', '1.0 2.0', '(,1]', '1'.repeat(257)])('does not call %j a version', (text) => {
    expect(isVersion('Maven', text)).toBe(false);
  });
});
