import { expect, test } from 'vitest';
import { arePossible, key } from '../../../src/service/http/list-order.js';
import { offsetOf } from '../../../src/service/http/page.js';

test('a page begins after the pages before it, and after a cursor at once', () => {
  expect(offsetOf({ page: 1, page_size: 25 })).toBe(0);
  expect(offsetOf({ page: 3, page_size: 10 })).toBe(20);
  expect(offsetOf({ page: 1, page_size: 10, cursor: 'c' })).toBe(0);
});

const instant = [key('at', 'timestamptz')];

test.each(['2026-02-02T02:02:02.123456+00:00', '2026-02-02T07:32:02+05:30', '1999-12-31T23:59:59.9-09:30'])(
  '%s is a time as PostgreSQL writes it, in any time zone',
  (text) => expect(arePossible(instant, [text])).toBe(true),
);

test.each([
  '2026-02-30T00:00:00+00:00',
  '2026-02-02 02:02:02+00',
  '2026-02-02T02:02:02+23:00',
  '0000-01-01T00:00:00+00:00',
  '',
  null,
])('%j is none, and asks no database', (text) => expect(arePossible(instant, [text])).toBe(false));
