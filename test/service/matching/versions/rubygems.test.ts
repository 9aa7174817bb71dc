import { describe, expect, test } from 'vitest';
import { isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { expectAscending, expectEqual } from './order.js';

describe('RubyGems', () => {
  test('orders as Gem::Version documents', () => {
    expectAscending('RubyGems', [
      '0.9',
      '1.0.a',
      '1.0.a.2',
      '1.0.b1',
      '1.0.b10',
      '1.0',
      '1.0.1',
      '1.8.2.a',
      '1.8.2.a9',
      '1.8.2.a10',
      '1.8.2',
      '1.9.a',
      '1.10',
    ]);
    expectAscending('RubyGems', [
      '5.0.0.beta1',
      '5.0.0.beta1.1',
      '5.0.0.beta2',
      '5.0.0.racecar1',
      '5.0.0.rc1',
      '5.0.0',
      '5.0.0.1',
    ]);
  });

  test('takes a hyphen for .pre.', () => {
    expectEqual('RubyGems', ['1.0-1', '1.0.pre.1']);
    expectAscending('RubyGems', ['1.0-beta', '1.0']);
  });

  test('drops zeros at the end and before the first word', () => {
    expectEqual('RubyGems', ['1', '1.0', '1.0.0', ' 1.0 ']);
    expectEqual('RubyGems', ['1.a', '1.0.a', '1.0.0.a', '1.a.0']);
  });

  test('compares words by byte, so capitals come first', () => {
    expectAscending('RubyGems', ['1.0.A', '1.0.a', '1.0.b']);
  });

  test('calls a version with a letter a pre-release', () => {
    expect(isPrerelease('RubyGems', '3.0.0.rc1')).toBe(true);
    expect(isPrerelease('RubyGems', '3.0.0')).toBe(false);
  });

  test.each(['junk', '1.0\n2.0', '1..2', '1.2 3.4', '1.0.', '', 'v1.0', '1_0'])(
    'does not call %j a version',
    (text) => {
      expect(isVersion('RubyGems', text)).toBe(false);
    },
  );
});
