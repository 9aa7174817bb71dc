import { type VerdictBand, verdictBands } from '../../shared/vulnerability-terms.js';
import type { DomainEvent, NotifiedVerdict } from '../events/domain-event.js';
import type { TopN } from '../events/top-n.js';

/** Whether a verdict has moved to a more urgent band. A first verdict (`from` is null) has not moved. */
export function isRaised(from: VerdictBand | null, to: VerdictBand): boolean {
  return from !== null && verdictBands.indexOf(to) < verdictBands.indexOf(from);
}

export const noRaisedVerdicts: TopN<NotifiedVerdict> = { total: 0, worst: [] };

/** Highest EffectivePriority first. Equal ones are ordered by id. */
export function moreUrgentFirst(a: NotifiedVerdict, b: NotifiedVerdict): number {
  return b.effective_priority - a.effective_priority || (a.alert_id < b.alert_id ? -1 : 1);
}

export function raisedEvents({ total, worst }: TopN<NotifiedVerdict>): DomainEvent[] {
  return total === 0 ? [] : [{ type: 'verdict.band_raised', data: { total, verdicts: worst } }];
}
