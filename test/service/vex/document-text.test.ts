import { expect, test } from 'vitest';
import { documentText, textOrNull, timeOrNull } from '../../../src/service/vex/document-text.js';

test('a text is clipped, and holds nothing that the database cannot store', () => {
  expect(documentText(' a\0b\ud800c ', 10)).toBe('ab\ufffdc');
  expect(documentText('x'.repeat(1_000), 10)).toBe(`${'x'.repeat(9)}…`);
});

test('what is no text, or a blank one, is none', () => {
  for (const value of [undefined, null, 7, {}, [], '', ' \n']) expect(textOrNull(value, 10)).toBeNull();
});

test('a time is a date or a date-time with its offset', () => {
  expect(timeOrNull('2025-01-02')).toEqual(new Date('2025-01-02T00:00:00Z'));
  expect(timeOrNull('2025-01-02T03:04:05+01:00')).toEqual(new Date('2025-01-02T02:04:05Z'));
  for (const value of ['2025-01-02T03:04:05', 'yesterday', 7, '2025-99-99']) expect(timeOrNull(value)).toBeNull();
});
