import { band } from '../../procedures/vulnerability.js';
import type { Band, Verdict } from './verdicts.js';

/** All bands of verdicts, the worst first. */
export const bands = band.options;

/** Bands that `--fail-on` takes, the worst first: each also fails on those before it. */
export const failingBand = band.exclude(['likely_not_exploitable', 'unanalyzed']);

/** The verdicts whose band is the given one or worse. */
export function atLeast(verdicts: readonly Verdict[], least: Band): Verdict[] {
  return verdicts.filter((verdict) => bands.indexOf(verdict.band) <= bands.indexOf(least));
}
