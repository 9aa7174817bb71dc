import { describe, expect, test } from 'vitest';
import { offsetOf, pageAnswer } from '../../../src/service/http/page.js';

describe('a page', () => {
  test('begins after the pages before it', () => {
    expect(offsetOf({ page: 1, page_size: 25 })).toBe(0);
    expect(offsetOf({ page: 3, page_size: 10 })).toBe(20);
  });

  test.each([
    [0, 1, false],
    [25, 1, false],
    [26, 1, true],
    [26, 2, false],
    [10, 7, false],
  ])('of %i rows in all, page %i: more is %j', (total, page, has_more) => {
    expect(pageAnswer({ page, page_size: 25 }, total, [])).toEqual({ items: [], page, page_size: 25, total, has_more });
  });
});
