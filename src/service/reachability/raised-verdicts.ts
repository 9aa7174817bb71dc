import type { VerdictBand } from '../../shared/vulnerability-terms.js';
import type { EffectiveVerdict } from '../../verdict/band.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Transaction } from '../db/database.js';
import type { NotifiedVerdict } from '../events/domain-event.js';
import { emitEvents } from '../events/outbox.js';
import { addToTopN } from '../events/top-n.js';
import type { ProjectKey } from '../projects/find-project.js';
import { isRaised, moreUrgentFirst, noRaisedVerdicts, raisedEvents } from './verdict-events.js';

export type IdentifiedAlert = Pick<
  AlertRow,
  'id' | 'vulnerability_id' | 'ecosystem' | 'package_name' | 'name' | 'kev_added'
>;

/** The verdict as a notification names it, where it has come into a more urgent band; none otherwise. */
export function raisedVerdict(
  alert: IdentifiedAlert,
  verdictId: string,
  from: VerdictBand | null,
  { score, band }: EffectiveVerdict,
): NotifiedVerdict[] {
  if (from === null || !isRaised(from, band)) return [];
  const { vulnerability_id, ecosystem } = alert;
  const about = { vulnerability_id, package: { ecosystem, name: nameOf(alert) } };
  return [{ alert_id: alert.id, verdict_id: verdictId, ...about, from, to: band, effective_priority: score }];
}

export async function notifyRaisedVerdicts(
  tx: Transaction,
  project: ProjectKey,
  raised: readonly NotifiedVerdict[],
  now: Date,
): Promise<void> {
  await emitEvents(tx, project, raisedEvents(addToTopN(noRaisedVerdicts, raised, moreUrgentFirst)), now);
}
