import { expect, test } from 'vitest';
import { likelyNames } from '../../../src/service/http/likely-names.js';

const all = ['NodeGoat', 'node-goat-api', 'Shop', 'shop-api', 'shop-web', 'Payments', '支付', '---'].map((name) => ({
  name,
}));

test.each([
  ['node goat', ['NodeGoat', 'node-goat-api']],
  ['nodegaot', ['NodeGoat']],
  ['shp', ['Shop']],
  ['the shop', ['Shop']],
  ['pay', ['Payments']],
  ['支', ['支付']],
  ['warehouse', []],
  ['?!', []],
])('%s: %j', (given, names) => {
  expect(likelyNames(given, all).map(({ name }) => name)).toEqual(names);
});

test('at most five, those that begin alike first', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at < 10 ? 'my ' : ''}shop ${at}` }));
  expect(likelyNames('shop', many).map(({ name }) => name)).toEqual([10, 11, 12, 13, 14].map((at) => `shop ${at}`));
});

test('a thousand long names are compared at once', () => {
  const long = Array.from({ length: 1000 }, (_, at) => ({ name: `${'a'.repeat(150)}${at}` }));
  expect(likelyNames('a'.repeat(200), long)).toHaveLength(5);
});
