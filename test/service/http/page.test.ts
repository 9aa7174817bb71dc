import { expect, test } from 'vitest';
import { offsetOf } from '../../../src/service/http/page.js';

test('a page begins after the pages before it, and after a cursor at once', () => {
  expect(offsetOf({ page: 1, page_size: 25 })).toBe(0);
  expect(offsetOf({ page: 3, page_size: 10 })).toBe(20);
  expect(offsetOf({ page: 1, page_size: 10, cursor: 'c' })).toBe(0);
});
