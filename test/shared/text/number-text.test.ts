import { expect, test } from 'vitest';
import { formatCount, formatPercent } from '../../../src/shared/text/number-text.js';

test('a count has a comma before each three digits, as English has it', () => {
  for (const amount of [0, 7, 999, 1000, 12_345, 123_456, 1_234_567, 1_000_000_000])
    expect(formatCount(amount)).toBe(amount.toLocaleString('en-US'));
});

test.each([
  [1, '100.0 %'],
  [0.0341, '3.4 %'],
  [0.001, '0.1 %'],
  [0.00043, '0.043 %'],
  [0, '0.0 %'],
])('the probability %d is %s', (probability, text) => {
  expect(formatPercent(probability)).toBe(text);
});
