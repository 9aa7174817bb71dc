import { expect, test } from 'vitest';
import { createKeyedHash } from '../../../src/shared/limits/keyed-hash.js';
import { networkOf } from '../../../src/shared/limits/network.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  [null, 'unknown'],
  ['not an address', 'unknown'],
])('the address %s counts as %s', (address, group) => {
  expect(networkOf(address)).toBe(group);
});

test('hashes of one secret agree where the instances have something in common, and nowhere else', () => {
  expect(createKeyedHash('redis://a')('key')).toBe(createKeyedHash('redis://a')('key'));
  expect(createKeyedHash('redis://a')('key')).not.toBe(createKeyedHash('redis://b')('key'));
  expect(createKeyedHash()('key')).not.toBe(createKeyedHash()('key'));
  expect(createKeyedHash()('key')).not.toContain('key');
});
