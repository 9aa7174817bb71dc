import { describe, expect, test } from 'vitest';
import { exceededBudget, exceedsMarkup } from '../../../src/service/http/text-budget.js';

const anyNumber = Number.POSITIVE_INFINITY;
const exceedsDepth = (json: string, depth: number) => exceededBudget(json, { depth, values: anyNumber }) === 'depth';
const exceedsValues = (json: string, values: number) => exceededBudget(json, { depth: anyNumber, values }) === 'values';

const deep = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

describe('a JSON text', () => {
  test.each([
    ['1', 0],
    ['[]', 1],
    ['[[],[],{}]', 2],
    ['{"a": {"b": [1]}}', 3],
    ['["[[[[", "\\"[[[[", "\\\\", [1]]', 2],
    ['["é[", "🚀{", {"[": 1}]', 2],
    [deep(100), 100],
  ])('%s is as deep as its brackets', (json, depth) => {
    expect(exceedsDepth(json, depth)).toBe(false);
    if (depth > 0) expect(exceedsDepth(json, depth - 1)).toBe(true);
  });

  test.each(['"[[[[', '"\\', ']]]][[[['])('that is none is looked through to its end: %s', (json) => {
    expect(exceedsDepth(json, 3)).toBe(false);
  });

  test.each([
    ['1', 1],
    ['[ ]', 1],
    ['[{},{},{}]', 4],
    ['[[[]]]', 3],
    ['{"a": [1, "x,y{[", {"b": 2}]}', 6],
  ])('%s has values: what objects and lists hold, and the whole', (json, values) => {
    expect(exceedsValues(json, values)).toBe(false);
    expect(exceedsValues(json, values - 1)).toBe(true);
  });
});

test('an XML text is as large as its tags, attributes and entities', () => {
  const xml = '<a b="1"><c/>&lt;</a>';
  expect(exceedsMarkup(xml, 5)).toBe(false);
  expect(exceedsMarkup(xml, 4)).toBe(true);
});
