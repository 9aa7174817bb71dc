import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AskPart } from '../../../src/gateway/composites/composer.js';
import { composerOf } from '../../../src/gateway/composites/composers.js';
import type { Composite, Procedure } from '../../../src/procedures/define.js';
import { posture } from '../../../src/procedures/posture.js';
import { type Domain, maxSteps, type RankedRisk } from '../../../src/procedures/risk.js';
import { partAnswer } from '../../support/posture-service.js';
import { finding } from './arbitrary-finding.js';

/** First and last code point of scripts, from those that tokenizers know best to those that they hardly know. */
const scripts: Readonly<Record<string, readonly [number, number]>> = {
  Latin: [0x61, 0x7a],
  'Latin Extended': [0x100, 0x24f],
  Greek: [0x3b1, 0x3c9],
  Cyrillic: [0x430, 0x44f],
  Hebrew: [0x5d0, 0x5ea],
  Arabic: [0x621, 0x64a],
  Devanagari: [0x904, 0x939],
  Bengali: [0x985, 0x9b9],
  Tamil: [0xb85, 0xbb9],
  Sinhala: [0xd85, 0xdc6],
  Thai: [0xe01, 0xe2e],
  Lao: [0xe81, 0xeae],
  Tibetan: [0xf40, 0xf6c],
  Myanmar: [0x1000, 0x102a],
  Georgian: [0x10d0, 0x10f0],
  Ethiopic: [0x1200, 0x1248],
  Cherokee: [0x13a0, 0x13f4],
  'Canadian syllabics': [0x1401, 0x166c],
  Khmer: [0x1780, 0x17b3],
  Mongolian: [0x1820, 0x1878],
  Kana: [0x3041, 0x30fe],
  Han: [0x4e00, 0x9fa5],
  'Rare Han': [0x20000, 0x2a6df],
  Yi: [0xa000, 0xa48c],
  Hangul: [0xac00, 0xd7a3],
  Cuneiform: [0x12000, 0x12399],
  Hieroglyphs: [0x13000, 0x1342e],
  'Mathematical letters': [0x1d400, 0x1d454],
  Emoji: [0x1f300, 0x1f5ff],
  Symbols: [0x2190, 0x22ff],
};

const letterOf = ([first, last]: readonly [number, number]) =>
  fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code));

/** Text of one script or of several, with spaces or without. */
const text = fc
  .subarray(Object.values(scripts), { minLength: 1, maxLength: 3 })
  .chain((chosen) => fc.array(fc.oneof(...chosen.map(letterOf), fc.constant(' ')), { minLength: 100, maxLength: 200 }))
  .map((letters) => letters.join(''));

/** A risk whose every text is as long as a service may send it. */
const longest = (domain: Domain, nth: number, given: string): RankedRisk => ({
  ...finding({
    id: `${domain}_${nth}`.padEnd(64, 'x'),
    domain,
    project: { id: 'p'.repeat(64), name: given },
    title: given,
    cve: given,
    package: given,
    location: given,
  }),
  fix: {
    package: given,
    steps: Array.from({ length: maxSteps }, () => ({ from: given, to: given, status: 'unverified', direct: given })),
    more: 1_000_000,
    scope: 'development',
    closes: 1_000_000,
    leaves: 1_000_000,
    priority: 99_999.9,
  },
});

async function tokensOf(composite: Composite, given: string): Promise<number> {
  const ask: AskPart = async (part, input) => {
    const { domain } = z.object({ domain: z.string().optional() }).parse(input);
    const url = part.http.replace(/^\w+ /, '').replace('{domain}', domain ?? '');
    const found = partAnswer({ method: 'GET', url, headers: {}, body: '' }, (each) =>
      Array.from({ length: 10 }, (_, nth) => longest(each, nth, given)),
    );
    return { answered: true, answer: decode(part, found) };
  };
  const made = await composerOf(composite)({ input: composite.input.parse({}), ask });
  return countTokens(JSON.stringify(z.encode(composite.output, made)));
}

function decode<P extends Procedure>({ output }: P, found: unknown): z.output<P['output']> {
  return z.parse<P['output']>(output, found);
}

/** As docs/agents.md says. */
const composites: readonly (readonly [string, Composite, number])[] = [
  ['get_top_risks', posture.getTopRisks, 4_000],
  ['get_findings_diff', posture.getFindingsDiff, 2_000],
  ['get_posture_summary', posture.getSummary, 2_000],
];

describe.each(composites)('%s has at most the tokens that the guide says', (_name, composite, most) => {
  test.each(Object.entries(scripts))('in %s', async (_script, range) => {
    const [given = ''] = fc.sample(fc.array(letterOf(range), { minLength: 200, maxLength: 200 }), {
      numRuns: 1,
      seed: 7,
    });
    expect(await tokensOf(composite, [given].flat().join(''))).toBeLessThanOrEqual(most);
  });

  test('in any mixture', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        expect(await tokensOf(composite, given)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 40 },
    );
  });
});
