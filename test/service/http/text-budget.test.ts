import { describe, expect, test } from 'vitest';
import { exceedsDepth } from '../../../src/service/http/json-depth.js';

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
});
