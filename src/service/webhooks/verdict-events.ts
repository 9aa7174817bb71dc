import { type VerdictBand, verdictBands } from '../../verdict/band.js';
import type { Digest } from './digest.js';
import type { HappenedEvent, ToldVerdict } from './notification.js';

/** Whether a verdict has come into a more urgent band. Its first computation raises nothing: there was none before. */
export function isRaised(from: VerdictBand | null, to: VerdictBand): boolean {
  return from !== null && verdictBands.indexOf(to) < verdictBands.indexOf(from);
}

export const noRaisedVerdicts: Digest<ToldVerdict> = { total: 0, worst: [] };

/** Highest EffectivePriority first; ids make the order one. */
export function moreUrgentFirst(a: ToldVerdict, b: ToldVerdict): number {
  return b.effective_priority - a.effective_priority || (a.alert_id < b.alert_id ? -1 : 1);
}

export function raisedEvents({ total, worst }: Digest<ToldVerdict>): HappenedEvent[] {
  return total === 0 ? [] : [{ type: 'verdict.band_raised', data: { total, verdicts: worst } }];
}
