import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanAnswer, cleanString } from '../../../src/gateway/untrusted/untrusted-text.js';
import { isRecord } from '../../../src/shared/json/is-record.js';
import { text } from '../../support/arbitrary-answer.js';

/** Every key and text cleaned, one by one. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanString(key), cleaned(inner)]));
}

/** All that begins something in JSON, in markup or among the invisible characters, in any order. */
const crafted = fc
  .array(
    fc.constantFrom(
      '"',
      '\\',
      ':',
      '[',
      ']',
      ',',
      '{',
      '<',
      '!',
      '(',
      ')',
      'a',
      '_',
      '\n',
      '\t',
      '\r',
      'u001b',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u200b',
      '\ud800',
      'é',
      '🎉',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

const { answer } = fc.letrec((tie) => ({
  leaf: fc.oneof(text, crafted, fc.double(), fc.boolean(), fc.constant(null)),
  value: fc.oneof({ maxDepth: 3 }, tie('leaf'), fc.array(tie('value'), { maxLength: 3 }), tie('answer')),
  answer: fc.dictionary(fc.oneof(text, crafted, fc.constantFrom('a', 'items')), tie('value'), { maxKeys: 4 }),
}));

test('an answer is cleaned as each of its texts is, and its JSON is that of what is left', () => {
  fc.assert(
    fc.property(answer, (given) => {
      const body = JSON.parse(JSON.stringify(given));
      const { value, json } = cleanAnswer(body);
      expect(value).toEqual(cleaned(body));
      expect(json).toBe(JSON.stringify(cleaned(body)));
    }),
    { numRuns: 3_000 },
  );
});

describe('nothing is hidden by standing where JSON has signs of its own', () => {
  test.each([
    [':[a](b "hidden")', ':[a](b)'],
    ['a":[a](b "hidden")', 'a":[a](b)'],
    ['\\":[a](b "hidden")', '\\":[a](b)'],
    ['\u001b[31mred', 'red'],
    ['a\u007fb', 'ab'],
    ['a\\u001b', 'a\\u001b'],
    ['half \ud800', 'half '],
  ])('%j', (given, left) => {
    const answer = { items: [given], [given]: given };
    expect(cleanAnswer(answer).value).toEqual({ items: [left], [left]: left });
  });
});

test('an answer with nothing to clean is not copied', () => {
  for (const items of [['plain', 'two\nlines\tand "quotes" \\ é 漢 —'], [], [['nested'], [1]]]) {
    const answer = { items, 'odd key ': null };
    expect(cleanAnswer(answer).value).toBe(answer);
  }
});
