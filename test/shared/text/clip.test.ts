import { describe, expect, test } from 'vitest';
import { clip, head, onOneLine } from '../../../src/shared/text/cut.js';

describe('clip', () => {
  test('keeps a text that fits, and ends a longer one with an ellipsis', () => {
    expect(clip('abcd', 4)).toBe('abcd');
    expect(clip('abcde', 4)).toBe('abc…');
  });

  test('leaves no half of a surrogate pair', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…');
    expect(head('ab😀cd', 3)).toBe('ab');
    expect(head('ab😀cd', 4)).toBe('ab😀');
  });
});

describe('onOneLine', () => {
  test('makes one space of blanks, line breaks and control characters', () => {
    expect(onOneLine(' a\r\n\t b\u0007c ', 20)).toBe('a b c');
  });

  test('is cut to the length given', () => {
    expect(onOneLine(`a${'\n'.repeat(5)}b cdef`, 5)).toBe('a b …');
  });

  test('reads no more than the beginning of a long text', () => {
    expect(onOneLine(`${' '.repeat(100)}a`, 5)).toBe('…');
  });
});
