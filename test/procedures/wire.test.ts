import { describe, expect, test } from 'vitest';
import { givenName, line, prose } from '../../src/procedures/wire.js';

const messagesOf = (
  schema: ReturnType<typeof line> | ReturnType<typeof givenName> | ReturnType<typeof prose>,
  text: string,
) => schema.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

const invisible = [
  ['', 'nothing'],
  [' \t\u00a0\u3000 ', 'white space'],
  ['\u200b', 'zero-width space'],
  ['\u200d\u200c\u2060', 'joiners'],
  ['\ufeff', 'byte order mark'],
  ['\u00ad', 'soft hyphen'],
  ['\u202e\u2066', 'directions'],
  ['\u3164', 'Hangul filler'],
  ['\u115f\uffa0', 'other fillers'],
  ['\u2800', 'Braille blank'],
  ['\ufe0f', 'variation selector'],
  ['\u{e0041}\u{e0042}', 'tags'],
  [' \u200b \u2063 ', 'several with spaces'],
] as const;

describe('a text of invisible characters alone is blank', () => {
  test.each(invisible)('%j: %s', (text) => {
    expect(messagesOf(prose(100), text)).toEqual(['must not be blank']);
    expect(messagesOf(line(100), text)).toEqual(['must not be blank']);
    expect(messagesOf(givenName(100), text)).toEqual(['must not be blank']);
  });
});

test.each(['a', '0', '.', '–', 'न', '👩\u200d💻', '漢', 'क\u200dष', 'می\u200cخواهم'])('%j is not', (text) => {
  expect(prose(100).parse(text)).toBe(text);
  expect(line(100).parse(text)).toBe(text);
});

test.each(['a\u202eb', 'a\u2066b\u2069', '\u202aa'])('%j turns the reading direction, so it is no line', (text) => {
  expect(messagesOf(line(100), text)).toEqual(['must not contain characters that turn the reading direction']);
  expect(prose(100).parse(text)).toBe(text);
});

test.each(['pkg\u200bname', 'W\u0435b', 'soft\u00adhyphen'])('%j, which a program may send, is a line', (text) => {
  expect(line(100).parse(text)).toBe(text);
});

test.each([
  ['a\u202eb', 'U+202E'],
  ['a\u2066b\u2069', 'U+2066 U+2069'],
  ['\u202aa', 'U+202A'],
  ['Web shop\u200b', 'U+200B'],
  ['Web\u200d shop', 'U+200D'],
  ['We\u{e0062}b', 'U+E0062'],
])('%j has characters that show nothing, so it is no name', (text, points) => {
  expect(messagesOf(givenName(100), text)).toEqual([`must not contain characters that show nothing: ${points}`]);
  expect(prose(100).parse(text)).toBe(text);
});

test.each([
  ['W\u0435b shop', 'U+0057 U+0435'],
  ['\u0440aypal', 'U+0440 U+0061'],
  ['Goog\u043be', 'U+0067 U+043B'],
  ['micros\u03bfft', 'U+0073 U+03BF'],
])('%j mixes alphabets in a word, so it is no name', (text, points) => {
  expect(messagesOf(givenName(100), text)).toEqual([`must not mix alphabets in a word: ${points}`]);
});

test.each(['Магазин Web', 'API-шлюз', 'Ωmega'.slice(1), '日本shop', '10 µs', 'Größe', 'ﬁle'])(
  '%j is a name',
  (text) => {
    expect(givenName(100).parse(text)).toBe(text);
  },
);

test('a line has no line breaks, prose may have them', () => {
  expect(prose(100).parse(' a\nb ')).toBe('a\nb');
  expect(messagesOf(line(100), 'a\nb')).toEqual(['must not contain line breaks or control characters']);
});
