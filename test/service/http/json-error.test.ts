import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonErrorPosition } from '../../../src/service/http/json-error.js';

describe('where a text stops being JSON', () => {
  test.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":}', 1, 6],
    ['{"a":1,}', 1, 8],
    ['{a:1}', 1, 2],
    ["{'a':1}", 1, 2],
    ['[1,2,]', 1, 6],
    ['[1 2]', 1, 4],
    ['{"a":1}}', 1, 8],
    ['{"a":1} x', 1, 9],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8],
    ['{"a":"line\nbreak"}', 1, 11],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"open', 1, 11],
    ['[01]', 1, 3],
    ['[1.]', 1, 3],
    ['NaN', 1, 1],
    ['{"a" 1}', 1, 6],
    ['[}', 1, 2],
    ['{]', 1, 2],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonErrorPosition(text)).toEqual({ line, column });
  });

  test('is inside the part that was broken, whatever the document', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        fc.pre(!parses(cut));
        expect(jsonErrorPosition(cut)).toEqual({ line: 1, column: expect.any(Number) });
        expect(jsonErrorPosition(`${cut}\u0001`).column).toBeLessThanOrEqual(cut.length + 1);
      }),
    );
  });

  test('is found in megabytes of text, and of brackets', () => {
    expect(jsonErrorPosition(`["${'a\\n'.repeat(1_000_000)}`).column).toBe(3_000_003);
    expect(jsonErrorPosition('['.repeat(1_000_000)).line).toBe(1);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
