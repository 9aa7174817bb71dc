import { expect, test } from 'vitest';
import { keysOf } from '../../../src/shared/schema/unwrap.js';

test('the keys of a literal, in its order and of their own type', () => {
  const keys: Array<'b' | 'a'> = keysOf({ b: 1, a: 2 });
  expect(keys).toEqual(['b', 'a']);
  expect(keysOf({})).toEqual([]);
});
