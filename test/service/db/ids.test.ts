import { expect, test } from 'vitest';
import { newId } from '../../../src/service/db/ids.js';

test('an id is its prefix and 20 signs of lower-case base32', () => {
  expect(newId('prj')).toMatch(/^prj_[a-z2-7]{20}$/);
});

test('ids use every sign and do not repeat', () => {
  const ids = Array.from({ length: 2000 }, () => newId('x'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.join('').replaceAll('x_', ''))).toHaveProperty('size', 32);
});
