import { sql } from 'kysely';
import type { VerdictBand } from '../../shared/vulnerability-terms.js';
import type { EffectiveVerdict } from '../../verdict/band.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import { type IdentifiedAlert, notifyRaisedVerdicts, raisedVerdict } from './raised-verdicts.js';

/**
 * Updates the columns that an alert is sorted and filtered by, after the override of its verdict has changed. Queues a
 * notification if the band has become more urgent. Returns what the alert is about.
 */
export async function updateAlertRanking(
  tx: Transaction,
  key: ProjectKey,
  verdict: { readonly id: string; readonly alert_id: string },
  effective: EffectiveVerdict,
  now: Date,
): Promise<IdentifiedAlert> {
  const { rows } = await sql<IdentifiedAlert & { readonly band_before: VerdictBand | null }>`
    update alerts set effective_priority = ${effective.score}, verdict_band = ${effective.band}
    from (
      select id, verdict_band from alerts
      where organisation_id = ${key.organisationId} and id = ${verdict.alert_id}
    ) as before
    where alerts.organisation_id = ${key.organisationId} and alerts.id = before.id
    returning alerts.id, alerts.vulnerability_id, alerts.ecosystem, alerts.package_name, alerts.name, alerts.kev_added,
      before.verdict_band as band_before`.execute(tx);
  const [alert] = rows;
  if (alert === undefined) throw new Error('a verdict has no alert');
  await notifyRaisedVerdicts(tx, key, raisedVerdict(alert, verdict.id, alert.band_before, effective), now);
  return alert;
}
