import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayHaveLongText, shorten } from '../../../src/gateway/untrusted/fit-answer.js';
import { cleanString } from '../../../src/gateway/untrusted/untrusted-text.js';

describe('a text that is too long', () => {
  test('is cut between graphemes, and says how much of it is missing', () => {
    expect(shorten('ab '.repeat(20), 12)).toBe('ab ab ab… [52 more characters]');
    expect(shorten('👨‍👩‍👧‍👦 '.repeat(4), 34)).toBe('👨‍👩‍👧‍👦… [37 more characters]');
  });

  test('is left whole where it fits, or where a part of it would mislead', () => {
    expect(shorten('ab ab', 5)).toBe('ab ab');
    expect(shorten('2026-03-04T05:06:07.000Z', 12)).toBe('2026-03-04T05:06:07.000Z');
  });

  test('hides nothing after the cut', () => {
    const piece = fc.constantFrom('<a href="', '<div hidden>', '">', '[x]: ', '![', '](', ')', 'words ', '\n', '漢');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 8, max: 80 }), (pieces, bytes) => {
        const kept = shorten(cleanString(pieces.join('')), bytes);
        expect(cleanString(kept)).toBe(kept);
      }),
    );
  });
});

test('the scan of an answer’s JSON misses no long text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', ',', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 1, max: 50 }), (texts, length) => {
      const isLong = texts.some((each) => JSON.stringify(each).length - 2 > length);
      if (isLong) expect(mayHaveLongText(JSON.stringify({ texts }), length)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(mayHaveLongText(JSON.stringify({ a: 'short', b: ['\\"', 'short'] }), 20)).toBe(false);
});
