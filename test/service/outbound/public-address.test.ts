import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/service/outbound/public-address.js';

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::808:808', true],
  ['64:ff9b::a00:1', false],
  ['fe80::1%eth0', false],
  ['4000::1', false],
  ['not an address', false],
  ['', false],
])('the address %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
