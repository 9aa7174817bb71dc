import { expect, test } from 'vitest';
import { wordList } from '../../../src/shared/text/number-text.js';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j: %s', (words, text) => {
  expect(wordList(words, 'or')).toBe(text);
});
