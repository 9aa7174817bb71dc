import { expect, test } from 'vitest';
import { formatCount } from '../../../src/shared/text/number-text.js';

test('a count has a comma before each three digits, as English has it', () => {
  for (const amount of [0, 7, 999, 1000, 12_345, 123_456, 1_234_567, 1_000_000_000])
    expect(formatCount(amount)).toBe(amount.toLocaleString('en-US'));
});
