import { expect, test } from 'vitest';
import { percent } from '../../../src/shared/text/number-text.js';

test.each([
  [0.94358, '94.4 %'],
  [0.001, '0.1 %'],
  [0.00043, '0.043 %'],
  [0.0004, '0.040 %'],
  [1, '100.0 %'],
])('%d is %s', (probability, text) => {
  expect(percent(probability)).toBe(text);
});
