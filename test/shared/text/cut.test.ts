import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, jsonBytes } from '../../../src/shared/text/cut.js';

const bytesOf = (text: string) => jsonBytes(text) - 2;

describe('a text is cut', () => {
  test.each([
    ['a short one', 'short', 8, 'short'],
    ['one that just fits', '12345678', 8, '12345678'],
    ['one that is a byte too long', '123456789', 8, '12345…'],
    ['between words', 'ab cd efgh', 9, 'ab cd…'],
    ['after a word, without the space', 'abcd efgh', 8, 'abcd…'],
    ['letters of two bytes', 'ääääää', 8, 'ää…'],
    ['letters of three', '反序列化漏洞', 10, '反序…'],
    ['surrogate pairs', '😀😀😀', 11, '😀😀…'],
    ['surrogate pairs that do not fit', '😀😀😀', 6, '…'],
    ['a letter and its accent', `abc${'e\u0301'.repeat(4)}`, 10, 'abce\u0301…'],
    ['a family', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 30, '👨‍👩‍👧‍👦…'],
    ['quotes, which are two bytes on the wire', '"'.repeat(8), 8, '""…'],
    ['controls, which are six', '\u0001\u0001\u0001', 12, '\u0001…'],
    ['half a surrogate pair, which is six', '\ud800\ud800\ud800', 12, '\ud800…'],
    ['one character that is longer than all', `a${'\u0301'.repeat(500)}`, 16, '…'],
    ['nothing', '', 8, ''],
  ])('%s', (_name, text, bytes, expected) => {
    expect(cut(text, bytes)).toBe(expected);
    expect(bytesOf(expected)).toBeLessThanOrEqual(bytes);
  });

  test('to the most that fits, at a character’s end', () => {
    const graphemes = new Intl.Segmenter('en');
    const length = fc.integer({ min: 3, max: 60 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), length, (text, bytes) => {
        if (bytesOf(text) <= bytes) return void expect(cut(text, bytes)).toBe(text);
        const prefixes = Array.from(graphemes.segment(text), ({ index }) => text.slice(0, index));
        const longest = prefixes.findLast((prefix) => bytesOf(prefix) <= bytes - 3) ?? '';
        expect(cut(text, bytes)).toBe(`${longest.trimEnd()}…`);
      }),
    );
  });
});
