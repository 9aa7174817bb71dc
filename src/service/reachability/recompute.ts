import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { effectiveVerdict, type OverrideVerdict } from '../../verdict/band.js';
import { machineVerdict } from '../../verdict/machine-verdict.js';
import { inScope, type PackageScope } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import { alertEvidence } from './alert-evidence.js';
import { loadSurroundings, type ProjectEvidence, projectEvidence } from './load-surroundings.js';
import { type ComputedVerdict, writeVerdicts } from './write-verdicts.js';

/** Alerts judged at once: some ten megabytes of evidence at the most. */
const alertsAtOnce = 2_000;

export interface VerdictCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

const noVerdicts: VerdictCounts = { created: 0, updated: 0, unchanged: 0 };

/**
 * Makes the verdicts of a project's unresolved alerts what the newest usage report, the intelligence and the declared
 * exposure say. Overrides stay. What has not changed is not written. A project without a report has no verdicts.
 *
 * The caller holds the project's lock. `scope` names the packages that the change can have touched.
 */
export async function recomputeVerdicts(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  scope: PackageScope = 'all',
): Promise<VerdictCounts> {
  const project = await projectEvidence(tx, key);
  if (project === null || (scope !== 'all' && scope.length === 0)) return noVerdicts;
  let counts = noVerdicts;
  let after = '';
  for (;;) {
    const alerts = await readAlerts(tx, key, scope, after);
    const last = alerts.at(-1);
    if (last === undefined) return counts;
    const changed = await judge(tx, key, alerts, project);
    await writeVerdicts(tx, key, changed, now);
    const created = changed.filter(({ isNew }) => isNew).length;
    counts = {
      created: counts.created + created,
      updated: counts.updated + changed.length - created,
      unchanged: counts.unchanged + alerts.length - changed.length,
    };
    after = last.id;
  }
}

/** The next unresolved alerts in scope, each with what its verdict is now. */
async function readAlerts(tx: Transaction, key: ProjectKey, scope: PackageScope, after: string) {
  return tx
    .selectFrom('alerts')
    .leftJoin('verdicts', (join) =>
      join
        .onRef('verdicts.organisation_id', '=', 'alerts.organisation_id')
        .onRef('verdicts.alert_id', '=', 'alerts.id'),
    )
    .selectAll('alerts')
    .select(['verdicts.id as verdict_id', 'verdicts.evidence_hash', 'verdicts.override_verdict'])
    .where('alerts.organisation_id', '=', key.organisationId)
    .where('alerts.project_id', '=', key.projectId)
    .where('alerts.resolved_at', 'is', null)
    .where('alerts.id', '>', after)
    .where(inScope(scope))
    .orderBy('alerts.id')
    .limit(alertsAtOnce)
    .execute();
}

type ReadAlert = Awaited<ReturnType<typeof readAlerts>>[number];

/** The verdicts that differ from what is kept. */
async function judge(
  tx: Transaction,
  key: ProjectKey,
  alerts: readonly ReadAlert[],
  project: ProjectEvidence,
): Promise<ComputedVerdict[]> {
  const around = await loadSurroundings(tx, key, alerts, project);
  return alerts.flatMap((alert) => {
    const evidence = alertEvidence(alert, around(alert));
    const text = JSON.stringify(evidence);
    const hash = createHash('sha256').update(text).digest();
    if (alert.evidence_hash?.equals(hash) === true) return [];
    const machine = machineVerdict(evidence);
    return {
      id: alert.verdict_id ?? newId('vrd'),
      isNew: alert.verdict_id === null,
      alertId: alert.id,
      machine,
      effective: effectiveVerdict(machine, alert.override_verdict),
      evidence: text,
      evidenceHash: hash,
    };
  });
}

/** Sets what an alert is sorted and filtered by, after its verdict's override has changed. */
export async function showEffective(
  tx: Transaction,
  key: ProjectKey,
  alertId: string,
  machine: { readonly score: number; readonly band: ComputedVerdict['machine']['band'] },
  override: OverrideVerdict | null,
): Promise<void> {
  const { score, band } = effectiveVerdict(machine, override);
  await sql`
    update alerts set effective_priority = ${score}, verdict_band = ${band}
    where organisation_id = ${key.organisationId} and id = ${alertId}`.execute(tx);
}
