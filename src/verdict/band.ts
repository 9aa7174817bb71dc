import type { OverrideVerdict, VerdictBand } from '../shared/vulnerability-terms.js';
import { formula } from './formula.js';

/** The band of a machine verdict. Known exploitation has its own band at any score; rows are sorted by the score alone. */
export function bandOf(score: number, kev: boolean): VerdictBand {
  if (kev) return 'known_exploited';
  if (score >= formula.likelyExploitable) return 'likely_exploitable';
  return score >= formula.needsReview ? 'needs_review' : 'likely_not_exploitable';
}

/** The score and band that count: those of the machine, or those that an override makes of them. */
export interface EffectiveVerdict {
  readonly score: number;
  readonly band: VerdictBand;
}

/**
 * `Exploitable` never lowers a score or a band: what is in KEV stays known exploited. `NotExploitable` is 0, in the lowest
 * band, even for a known exploited CVE; that it is one stays in the alert's and the evidence's `kev`.
 */
export function effectiveVerdict(machine: EffectiveVerdict, override: OverrideVerdict | null): EffectiveVerdict {
  switch (override) {
    case null:
      return machine;
    case 'NotExploitable':
      return { score: 0, band: 'likely_not_exploitable' };
    case 'Exploitable':
      return {
        score: Math.max(machine.score, formula.likelyExploitable),
        band: bandOf(formula.likelyExploitable, machine.band === 'known_exploited'),
      };
  }
}
