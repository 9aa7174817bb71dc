import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worseFirst } from '../../../src/gateway/composites/worse-first.js';
import { domains, priorityOfTier, type RankedFinding, unknownProbability } from '../../../src/procedures/risk.js';
import { finding, findings } from './arbitrary-finding.js';

const ids = (ranked: readonly RankedFinding[]) => ranked.map(({ id }) => id);
const order = (...given: RankedFinding[]) => ids(given.toSorted(worseFirst));

/** The findings in another order, drawn from random numbers of which there are enough. */
function shuffled<T>(given: readonly T[], keys: readonly number[]): T[] {
  return given
    .map((one, nth) => ({ one, key: keys[nth] ?? 0 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ one }) => one);
}
const keys = fc.array(fc.double({ noNaN: true }), { minLength: 80, maxLength: 80 });

/** Whether two lists rank the same: equal ones may change places. */
const ranksLike = (some: readonly RankedFinding[], others: readonly RankedFinding[]) =>
  some.length === others.length && some.every((each, nth) => worseFirst(each, others[nth] ?? each) === 0);

describe('worst first is one order of all findings', () => {
  test('of two at most one is worse', () => {
    fc.assert(
      fc.property(findings, (all) => {
        for (const a of all.slice(0, 12)) {
          for (const b of all.slice(0, 12)) {
            expect(Math.sign(worseFirst(a, b)) + Math.sign(worseFirst(b, a))).toBe(0);
          }
        }
      }),
    );
  });

  test('what is worse than a worse one is worse', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const [some, sorted] = [all.slice(0, 10), all.slice(0, 10).toSorted(worseFirst)];
        for (const a of some) {
          for (const b of some) {
            if (sorted.indexOf(a) < sorted.indexOf(b)) expect(worseFirst(a, b)).toBeLessThanOrEqual(0);
          }
        }
      }),
    );
  });

  test('the order that they come in matters to equal ones alone', () => {
    fc.assert(
      fc.property(findings, keys, (all, random) => {
        expect(ranksLike(shuffled(all, random).toSorted(worseFirst), all.toSorted(worseFirst))).toBe(true);
      }),
    );
  });

  test('the ten worst of each domain hold the ten worst of all', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const best = (some: readonly RankedFinding[]) => some.toSorted(worseFirst).slice(0, 10);
        const ofDomains = domains.flatMap((domain) => best(all.filter((each) => each.domain === domain)));
        expect(ranksLike(best(ofDomains), best(all))).toBe(true);
      }),
    );
  });
});

describe('the order', () => {
  test('is known exploited, reachable in the code, critical, other, whatever the scores', () => {
    expect(
      order(
        finding({ id: 'other', risk: 'other', effective_priority: 100, epss: 1, severity: 'critical' }),
        finding({ id: 'critical', risk: 'critical', effective_priority: 90, epss: 0.9, severity: 'critical' }),
        finding({ id: 'reachable', risk: 'reachable', effective_priority: 30, epss: 0.5, severity: 'high' }),
        finding({ id: 'exploited', risk: 'known_exploited', effective_priority: 20, epss: 0.01, severity: 'low' }),
      ),
    ).toEqual(['exploited', 'reachable', 'critical', 'other']);
  });

  test.each(['known_exploited', 'reachable', 'other'] as const)('among %s is by EffectivePriority', (risk) => {
    expect(
      order(
        finding({ id: 'lower', risk, effective_priority: 40, epss: 1, severity: 'critical' }),
        finding({ id: 'higher', risk, effective_priority: 40.1, epss: 0, severity: 'low' }),
      ),
    ).toEqual(['higher', 'lower']);
  });

  test('among critical ones is by exploit probability', () => {
    expect(
      order(
        finding({ id: 'lower', risk: 'critical', effective_priority: 100, epss: 0.2 }),
        finding({ id: 'higher', risk: 'critical', effective_priority: 30, epss: 0.3 }),
      ),
    ).toEqual(['higher', 'lower']);
  });

  test('takes a finding without EffectivePriority for its tier’s', () => {
    const scored = Object.values(priorityOfTier).flatMap((priority) => [
      finding({ id: `above ${priority}`, effective_priority: priority + 0.1 }),
      finding({ id: `below ${priority}`, effective_priority: priority - 0.1 }),
    ]);
    const unscored = (['RED', 'YELLOW', 'GREEN'] as const).map((tier) =>
      finding({ id: tier, tier, effective_priority: null }),
    );
    expect(order(...scored, ...unscored)).toEqual(
      [
        ['above 60', 'RED', 'below 60'],
        ['above 30', 'YELLOW', 'below 30'],
        ['above 0', 'GREEN', 'below 0'],
      ].flat(),
    );
  });

  test.each(['critical', 'reachable'] as const)(
    'takes an unknown EPSS among %s for a small one, not for zero',
    (risk) => {
      expect(
        order(
          finding({ id: 'zero', risk, epss: 0 }),
          finding({ id: 'unknown', risk, epss: null }),
          finding({ id: 'below', risk, epss: unknownProbability * 0.9 }),
          finding({ id: 'above', risk, epss: unknownProbability * 1.1 }),
        ),
      ).toEqual(['above', 'unknown', 'below', 'zero']);
    },
  );

  test('among those with the same EffectivePriority is by tier', () => {
    expect(
      order(
        finding({ id: 'yellow', tier: 'YELLOW', effective_priority: 33, epss: 0.9, severity: 'critical' }),
        finding({ id: 'red', tier: 'RED', effective_priority: 33, epss: 0.1, severity: 'high' }),
      ),
    ).toEqual(['red', 'yellow']);
  });

  test('of equal ones is by severity, then as their domain answers them', () => {
    expect(
      order(
        finding({ id: 'b', severity: 'high' }),
        finding({ id: 'unknown', severity: 'unknown' }),
        finding({ id: 'info', severity: 'info' }),
        finding({ id: 'low', severity: 'low' }),
        finding({ id: 'medium', severity: 'medium' }),
        finding({ id: 'a', severity: 'high' }),
        finding({ id: 'critical', severity: 'critical' }),
      ),
    ).toEqual(['critical', 'b', 'a', 'medium', 'low', 'info', 'unknown']);
  });
});
