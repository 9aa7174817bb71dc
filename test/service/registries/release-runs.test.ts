import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReleaseFacts } from '../../../src/service/registries/listing.js';
import { readRuns, writeRuns } from '../../../src/service/registries/release-runs.js';

const unbounded = Number.POSITIVE_INFINITY;
const plain: ReleaseFacts = { dependencies: {}, deprecated: false, node: null };

const name = fc.constantFrom('a', 'b', 'c', '@d/e', 'constructor', 'toString');
const range = fc.constantFrom('^1.0.0', '~2.0.0', '*', '"\\ü𝄞');
const facts: fc.Arbitrary<ReleaseFacts> = fc.record({
  dependencies: fc.option(fc.dictionary(name, range, { noNullPrototype: true }), { freq: 4 }),
  deprecated: fc.boolean(),
  node: fc.option(fc.constantFrom('>= 18', '>= 20')),
});
/** Releases in any order, most of them equal to the one before. */
const releases = fc
  .array(fc.tuple(facts, fc.integer({ min: 1, max: 4 })), { maxLength: 30 })
  .map((runs) => runs.flatMap(([each, times]) => Array.from({ length: times }, () => each)));

describe('the facts of releases, written as runs', () => {
  test('are read back as they were', () => {
    fc.assert(
      fc.property(releases, (given) => {
        expect(readRuns(writeRuns(given, unbounded))).toEqual(given);
      }),
    );
  });

  test('keep to the bound, and what does not fit is missing at the end', () => {
    fc.assert(
      fc.property(releases, fc.integer({ min: 2, max: 2_000 }), (given, maxBytes) => {
        const text = writeRuns(given, maxBytes);
        const kept = readRuns(text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(kept).toEqual(given.slice(0, kept.length));
      }),
    );
  });

  test('take one entry for all releases that are alike, and only what changes for the next', () => {
    const alike = (count: number, each: ReleaseFacts) => Array.from({ length: count }, () => each);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`package-${n}`, '^1.0.0']));
    const given = [
      ...alike(900, { ...plain, dependencies: many }),
      ...alike(2, { ...plain, dependencies: { ...many, 'package-7': '^2.0.0' } }),
      ...alike(3, { ...plain, dependencies: null, deprecated: true }),
    ];
    const [first, ...others]: unknown[] = JSON.parse(writeRuns(given, unbounded));
    expect(first).toEqual({ needs: many, count: 900 });
    expect(others).toEqual([
      { needs: { 'package-7': '^2.0.0' }, count: 2 },
      { needs: null, deprecated: true, count: 3 },
    ]);
  });
});
