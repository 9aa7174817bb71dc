import type { Band, Verdict } from './verdicts.js';

/** Bands that `--fail-on` takes, the worst first: each stands for itself and those before it. */
export const failingBands = ['known_exploited', 'likely_exploitable', 'needs_review'] as const;
export type FailingBand = (typeof failingBands)[number];

/** All bands of verdicts, the worst first. */
export const bands = [...failingBands, 'likely_not_exploitable', 'unanalyzed'] as const satisfies readonly Band[];

/** The verdicts whose band is the given one or worse. */
export function atLeast(verdicts: readonly Verdict[], band: FailingBand): Verdict[] {
  const failing: readonly Band[] = failingBands.slice(0, failingBands.indexOf(band) + 1);
  return verdicts.filter((verdict) => failing.includes(verdict.band));
}
