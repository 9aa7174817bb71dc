import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import document from '../../../src/service/openapi/examples.json' with { type: 'json' };
import { maxTokens } from '../../../src/shared/text/max-tokens.js';

/** First and last letters of scripts, some of them without tokens of their own. */
const scripts = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0x30, 0x39],
  [0xc0, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x620, 0x64a],
  [0x7c0, 0x7ea],
  [0x904, 0x939],
  [0xe01, 0xe2e],
  [0x13a0, 0x13f4],
  [0x3041, 0x3096],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa500, 0xa62b],
  [0xac00, 0xd7a3],
  [0x12000, 0x12399],
  [0x1f300, 0x1f64f],
] as const;

test('a text of any script has no more tokens than estimated', () => {
  for (const [first, last] of scripts) {
    // Letters at random are a matter of chance: a long text of them has no more than a tenth above what is usual.
    const codes = fc.sample(fc.noBias(fc.integer({ min: first, max: last })), { numRuns: 4_000, seed: 1 });
    const json = JSON.stringify(String.fromCodePoint(...codes));
    expect(countTokens(json), `${first}`).toBeLessThanOrEqual(maxTokens(json) * 1.1);
  }
});

test('answers have as many tokens as estimated, or up to a quarter fewer: half of them less than 15 percent', () => {
  const ratios = Object.values(document.procedures)
    .map((answer) => JSON.stringify(answer))
    .filter((json) => json.length > 1_000)
    .map((json) => maxTokens(json) / countTokens(json))
    .sort((one, other) => one - other);
  expect(ratios.length).toBeGreaterThan(10);
  expect(ratios[0]).toBeGreaterThan(1);
  expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.15);
  expect(ratios.at(-1)).toBeLessThan(1.25);
});
