import { describe, expect, test } from 'vitest';
import { bandOf, effectiveVerdict } from '../../src/verdict/band.js';

test.each([
  [100, 'likely_exploitable'],
  [60, 'likely_exploitable'],
  [59.9, 'needs_review'],
  [30, 'needs_review'],
  [29.9, 'likely_not_exploitable'],
  [0, 'likely_not_exploitable'],
] as const)('EffectivePriority %d is %s, and known_exploited when in KEV', (score, band) => {
  expect(bandOf(score, false)).toBe(band);
  expect(bandOf(score, true)).toBe('known_exploited');
});

describe('an override', () => {
  const machine = { score: 72.4, band: 'known_exploited' } as const;

  test('is absent: the machine verdict counts', () => {
    expect(effectiveVerdict(machine, null)).toEqual(machine);
  });
  test('NotExploitable counts as 0 in the lowest band, even for a known exploited CVE', () => {
    expect(effectiveVerdict(machine, 'NotExploitable')).toEqual({ score: 0, band: 'likely_not_exploitable' });
  });
  test('Exploitable raises to 60 and never lowers', () => {
    expect(effectiveVerdict({ score: 12, band: 'likely_not_exploitable' }, 'Exploitable')).toEqual({
      score: 60,
      band: 'likely_exploitable',
    });
  });
  test('Exploitable leaves what is known exploited in its band', () => {
    expect(effectiveVerdict(machine, 'Exploitable')).toEqual(machine);
    expect(effectiveVerdict({ score: 20, band: 'known_exploited' }, 'Exploitable')).toEqual({
      score: 60,
      band: 'known_exploited',
    });
  });
});
