import { describe, expect, test } from 'vitest';
import { type TierFacts, tierOf } from '../../../src/service/matching/tier.js';

const nothing: TierFacts = { kev: false, malicious: false, cvss: null, severity: null, epss: null };

describe('tierOf', () => {
  test.each<[Partial<TierFacts>, string]>([
    [{ kev: true, cvss: 2.1, epss: 0 }, 'RED'],
    [{ malicious: true, cvss: 0, epss: 0 }, 'RED'],
    [{ cvss: 9, epss: 0 }, 'RED'],
    [{ cvss: 8.9, epss: 0.0999 }, 'YELLOW'],
    [{ cvss: 7, epss: 0.1 }, 'RED'],
    [{ cvss: 7, epss: 0 }, 'YELLOW'],
    [{ cvss: 6.9, epss: 0.9 }, 'YELLOW'],
    [{ cvss: 6.9, epss: 0.01 }, 'YELLOW'],
    [{ cvss: 6.9, epss: 0.0099 }, 'GREEN'],
    [{ cvss: 4, epss: 0.01 }, 'YELLOW'],
    [{ cvss: 3.9, epss: 0.9 }, 'GREEN'],
  ])('%j is %s', (facts, tier) => {
    expect(tierOf({ ...nothing, ...facts })).toBe(tier);
  });

  test('takes the label where there is no vector', () => {
    const tiers = (['critical', 'high', 'moderate', 'low'] as const).map((severity) =>
      tierOf({ ...nothing, severity, epss: 0.001 }),
    );
    expect(tiers).toEqual(['RED', 'YELLOW', 'GREEN', 'GREEN']);
    expect(tierOf({ ...nothing, severity: 'high', epss: 0.1 })).toBe('RED');
    expect(tierOf({ ...nothing, severity: 'critical', cvss: 5, epss: 0 })).toBe('GREEN');
  });

  test('never counts the unknown as zero', () => {
    expect(tierOf({ ...nothing, epss: 0.01 })).toBe('YELLOW');
    expect(tierOf({ ...nothing, epss: 0 })).toBe('GREEN');
    expect(tierOf({ ...nothing, cvss: 5 })).toBe('YELLOW');
    expect(tierOf(nothing)).toBe('YELLOW');
    expect(tierOf({ ...nothing, cvss: 7.5 })).toBe('YELLOW');
    expect(tierOf({ ...nothing, severity: 'low' })).toBe('GREEN');
  });
});
