import { expect, test } from 'vitest';
import { readRetryAfterSeconds } from '../../../src/shared/http/retry-after.js';

test.each([
  ['0', 0],
  ['17', 17],
  ['86400', 86_400],
  ['86401', 86_400],
  ['9999999999', 86_400],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ['Wed, 21 Oct 2020 07:28:00 GMT', 0],
  ['Wed, 21 Oct 2048 07:28:00 GMT', 86_400],
  ['Wednesday, 21-Oct-26 07:29:00 GMT', 60],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  // Obsolete asctime has no zone of its own.
  ['Wed Oct 21 07:29:00 2026', null],
  ['Wed, 21 Oct 2026 07:29:00', null],
  ['Wed, 21 Oct 2026 07:29:00 +0200', null],
  ['Wed, 99 Oct 2026 07:29:00 GMT', null],
  ['2026-10-21T07:29:00Z', null],
  ['2026 GMT', null],
  ['99999999999', null],
  ['soon', null],
  ['-1', null],
  ['1.5', null],
  [' 5', null],
  ['', null],
  [undefined, null],
  [17, null],
  [['1', '2'], null],
])('Retry-After %j asks for %j seconds', (header, expected) => {
  expect(readRetryAfterSeconds(header, new Date('2026-10-21T07:28:00Z'))).toBe(expected);
});

test('a date is reached only when its last part of a second is over', () => {
  expect(readRetryAfterSeconds('Wed, 21 Oct 2026 07:28:30 GMT', new Date('2026-10-21T07:28:00.001Z'))).toBe(30);
  expect(readRetryAfterSeconds('Wed, 21 Oct 2026 07:28:30 GMT', new Date('2026-10-21T07:27:59.999Z'))).toBe(31);
});
