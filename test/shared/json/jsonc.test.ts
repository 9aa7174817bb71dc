import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsoncToJson, parseJsonc } from '../../../src/shared/json/jsonc.js';

describe('JSON with comments and trailing commas', () => {
  test.each([
    ['plain JSON', '{"a": [1, "x"]}', { a: [1, 'x'] }],
    ['comments of both kinds', '// one\n{/* two */"a": 1 // three\n, "b": 2}// four', { a: 1, b: 2 }],
    ['trailing commas', '{"a": [1, 2, ], "b": {"c": 1,\n},}', { a: [1, 2], b: { c: 1 } }],
    ['a trailing comma before comments', '[1, // one\n /* , */ ]', [1]],
    [
      'what looks like a comment in a string',
      '{"a": "http://x/*", "b": "\\" // ,]",}',
      { a: 'http://x/*', b: '" // ,]' },
    ],
    ['a comma in a string before a bracket', '[",", "a,"]', [',', 'a,']],
  ])('%s', (_, text, value) => {
    expect(parseJsonc(text)).toEqual(value);
  });

  test.each(['', 'a', '[1,,]', '{"a" 1}', "{'a': 1}", '/* [1]', '"a', '[1] /'])('%j is neither', (text) => {
    expect(parseJsonc(text)).toBeUndefined();
  });

  test('every other character keeps its place', () => {
    const text = '{\n  // one\r\n  "a": 1, /* two\n  three */\n}';
    expect(jsoncToJson(text)).toBe('{\n         \n  "a": 1        \n          \n}');
    expect(jsoncToJson(text)).toHaveLength(text.length);
  });

  test('any JSON value with comments and commas put into its text', () => {
    const noise = fc.constantFrom('', ' ', '\n', '/* ", ] */', '// " }\n', '/**/');
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(noise), (value, noises) => {
        const next = () => noises.next().value ?? '';
        const write = (each: unknown): string => {
          if (Array.isArray(each))
            return `[${next()}${each.map((one) => `${write(one)}${next()},`).join(next())}${next()}]`;
          if (typeof each !== 'object' || each === null) return JSON.stringify(each);
          const fields = Object.entries(each).map(([name, one]) => `${JSON.stringify(name)}${next()}:${write(one)},`);
          return `{${next()}${fields.join(next())}${next()}}`;
        };
        expect(parseJsonc(next() + write(value) + next())).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('a string of many megabytes, and as many quotes', () => {
    const long = 'x'.repeat(20_000_000);
    expect(parseJsonc(`{"a": "${long}", "b": "${'\\n'.repeat(1_000_000)}",} // end`)).toMatchObject({ a: long });
    expect(parseJsonc('"\\'.repeat(1_000_000))).toBeUndefined();
  });
});
