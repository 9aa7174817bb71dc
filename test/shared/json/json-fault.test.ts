import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault } from '../../../src/shared/json/json-fault.js';

test.each([
  ['', 1, 1, 'a value'],
  ['{', 1, 2, 'a key in quotes or }'],
  ['{"a"\n 1}', 2, 2, ': after a key'],
  ['{"a": 1,}', 1, 9, 'a key in quotes'],
  ['{"a": 1]', 1, 8, ', or }'],
  ['[1 2]', 1, 4, ', or ]'],
  ['[1,\n\n]', 3, 1, 'a value'],
  ['[01]', 1, 3, ', or ]'],
  ['{} {}', 1, 4, 'the end of the text'],
  ['["a\\"b]', 1, 2, 'a string, closed and escaped'],
  ['undefined', 1, 1, 'a value'],
  ['"\\x"', 1, 1, 'a string, closed and escaped'],
  ['"\t"', 1, 1, 'a string, closed and escaped'],
])('%j', (text, line, column, expected) => {
  expect(findJsonFault(text)).toEqual({ line, column, expected });
});

test('a cut document is faulty at its end, or in the string that the cut left open', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, where) => {
      const whole = `[${json}]`;
      const cut = whole.slice(0, where % whole.length);
      const { line, column } = findJsonFault(cut);
      expect(line).toBe(1);
      const rest = cut.slice(column - 1);
      // A cut number or word is told at its beginning.
      expect(rest).toMatch(/^(?:"[^\n]*|-|[a-z]*|-?\d*\.|-?[\d.]+[eE][+-]?|\.|[eE][+-]?)$/);
    }),
  );
});
