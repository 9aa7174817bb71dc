import { sql } from 'kysely';
import type { VerdictBand } from '../../shared/vulnerability-terms.js';
import type { StoredEvidence } from '../../verdict/evidence.js';
import { type FormulaName, formula } from '../../verdict/formula.js';
import { keepEvents } from '../alerts/history-events.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { verdictCauses } from './verdict-causes.js';
import type { ComputedVerdict } from './write-verdicts.js';

/** An alert as it was before its verdict was computed again. */
interface JudgedBefore {
  readonly id: string;
  readonly first_seen_at: Date;
  readonly machine_band: VerdictBand | null;
  readonly machine_score: number | null;
}

/**
 * Keeps which machine verdicts go to another band, before they are written. The first verdict on an alert counts where the
 * alert is older than the usage report: on a newer one it is no change.
 */
export async function keepVerdictChanges(
  tx: Transaction,
  key: ProjectKey,
  alerts: readonly JudgedBefore[],
  changed: readonly ComputedVerdict[],
  { now, reportedAt }: { readonly now: Date; readonly reportedAt: Date },
): Promise<void> {
  const before = new Map(alerts.map((alert) => [alert.id, alert]));
  const moved = changed.flatMap((verdict) => {
    const alert = before.get(verdict.alertId);
    if (alert === undefined || alert.machine_band === verdict.machine.band) return [];
    return alert.machine_band === null && alert.first_seen_at >= reportedAt ? [] : [{ alert, verdict }];
  });
  const bases = await loadBases(
    tx,
    key,
    moved.flatMap(({ verdict }) => (verdict.isNew ? [] : [verdict.id])),
  );
  const events = moved.map(({ alert, verdict }) => {
    const basis = bases.get(verdict.id);
    const facts = {
      before: { band: alert.machine_band ?? ('unanalyzed' as const), effective_priority: alert.machine_score },
      after: { band: verdict.machine.band, effective_priority: verdict.machine.score },
      // Before the first verdict there was no word on usage.
      because:
        basis === undefined
          ? (['usage'] as const)
          : verdictCauses(basis, { evidence: verdict.found, formula: formula.name }),
    };
    return { kind: 'verdict_changed' as const, alertId: alert.id, facts };
  });
  await keepEvents(tx, key, events, now);
}

async function loadBases(tx: Transaction, key: ProjectKey, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { evidence: StoredEvidence; formula: FormulaName }>();
  const rows = await tx
    .selectFrom('verdicts')
    .select(['id', 'evidence', 'formula'])
    .where(inScope(key))
    .where(sql<boolean>`id = any (${[...ids]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, ...basis }) => [id, basis]));
}
