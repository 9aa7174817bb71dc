import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type EffectiveVerdict, effectiveVerdict, type VerdictBand } from '../../verdict/band.js';
import { machineVerdict } from '../../verdict/machine-verdict.js';
import { inScope, type PackageScope } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { NotifiedVerdict } from '../events/domain-event.js';
import { emitEvents } from '../events/outbox.js';
import { addToTopN } from '../events/top-n.js';
import type { ProjectKey } from '../projects/find-project.js';
import { alertEvidence } from './alert-evidence.js';
import { loadSurroundings, type ProjectEvidence, projectEvidence } from './load-surroundings.js';
import { isRaised, moreUrgentFirst, noRaisedVerdicts, raisedEvents } from './verdict-events.js';
import { type ComputedVerdict, writeVerdicts } from './write-verdicts.js';

/** Alerts judged by one transaction: half a second or so, and some ten megabytes of evidence at the most. */
const alertsAtOnce = 2_000;

export interface VerdictCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The project has more alerts than one transaction judges: the others follow, see `continueRecomputations`. */
  readonly pending: boolean;
}

const noVerdicts: VerdictCounts = { created: 0, updated: 0, unchanged: 0, pending: false };

/**
 * Makes the verdicts of a project's unresolved alerts what the newest usage report, the intelligence and the declared
 * exposure say. Overrides stay. What has not changed is not written. A project without a report has no verdicts.
 *
 * The caller holds the project's lock. `scope` names the packages that the change can have touched. Of `all`, the first
 * alerts are judged now and the rest, in a large project, by transactions of their own: one that took a minute would keep
 * everybody from the embedded database's one connection for as long.
 */
export async function recomputeVerdicts(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  scope: PackageScope = 'all',
): Promise<VerdictCounts> {
  const project = await projectEvidence(tx, key);
  if (project === null || (scope !== 'all' && scope.length === 0)) return noVerdicts;
  if (scope === 'all') {
    const { counts, last } = await recomputeBatch(tx, key, now, { project, scope, after: '' });
    await setDueAfter(tx, key, last);
    return { ...counts, pending: last !== null };
  }
  let total = noVerdicts;
  for (let after: string | null = ''; after !== null; ) {
    const { counts, last }: Batch = await recomputeBatch(tx, key, now, { project, scope, after });
    total = {
      created: total.created + counts.created,
      updated: total.updated + counts.updated,
      unchanged: total.unchanged + counts.unchanged,
      pending: false,
    };
    after = last;
  }
  return total;
}

/** Goes on where the last transaction of a recomputation of all has ended. */
export async function recomputeNext(tx: Transaction, key: ProjectKey, now: Date, after: string): Promise<void> {
  const project = await projectEvidence(tx, key);
  const last = project && (await recomputeBatch(tx, key, now, { project, scope: 'all', after })).last;
  await setDueAfter(tx, key, last);
}

async function setDueAfter(tx: Transaction, key: ProjectKey, after: string | null): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ verdicts_due_after: after })
    .where('organisation_id', '=', key.organisationId)
    .where('id', '=', key.projectId)
    .where('verdicts_due_after', 'is distinct from', after)
    .execute();
}

interface Batch {
  readonly counts: Omit<VerdictCounts, 'pending'>;
  /** The last alert judged; null where it was the last of all. */
  readonly last: string | null;
}

async function recomputeBatch(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  {
    project,
    scope,
    after,
  }: { readonly project: ProjectEvidence; readonly scope: PackageScope; readonly after: string },
): Promise<Batch> {
  const alerts = await readAlerts(tx, key, scope, after);
  const changed = await judge(tx, key, alerts, project);
  await writeVerdicts(tx, key, changed, now);
  const raised = addToTopN(noRaisedVerdicts, raisedOf(alerts, changed), moreUrgentFirst);
  await emitEvents(tx, key, raisedEvents(raised), now);
  const created = changed.filter(({ isNew }) => isNew).length;
  return {
    counts: { created, updated: changed.length - created, unchanged: alerts.length - changed.length },
    last: alerts.length === alertsAtOnce ? (alerts.at(-1)?.id ?? null) : null,
  };
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
      usage: evidence.usage.usage,
      evidence: text,
      evidenceHash: hash,
    };
  });
}

/** The verdicts that come into a more urgent band than their alerts show. */
function raisedOf(alerts: readonly ReadAlert[], changed: readonly ComputedVerdict[]): NotifiedVerdict[] {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  return changed.flatMap(({ id, alertId, effective }) => {
    const alert = byId.get(alertId);
    return alert === undefined ? [] : raisedVerdict(alert, id, alert.verdict_band, effective);
  });
}

type IdentifiedAlert = Pick<ReadAlert, 'id' | 'vulnerability_id' | 'ecosystem' | 'package_name'>;

function raisedVerdict(
  alert: IdentifiedAlert,
  verdictId: string,
  from: VerdictBand | null,
  { score, band }: EffectiveVerdict,
): NotifiedVerdict[] {
  if (from === null || !isRaised(from, band)) return [];
  const { id, vulnerability_id, ecosystem, package_name } = alert;
  const about = { vulnerability_id, package: { ecosystem, name: package_name } };
  return [{ alert_id: id, verdict_id: verdictId, ...about, from, to: band, effective_priority: score }];
}

/**
 * Sets what an alert is sorted and filtered by after its verdict's override has changed, and notifies of a raised band.
 * Answers what the alert is about.
 */
export async function showEffective(
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
    returning alerts.id, alerts.vulnerability_id, alerts.ecosystem, alerts.package_name,
      before.verdict_band as band_before`.execute(tx);
  const [alert] = rows;
  if (alert === undefined) throw new Error('a verdict has no alert');
  const raised = raisedVerdict(alert, verdict.id, alert.band_before, effective);
  await emitEvents(tx, key, raisedEvents(addToTopN(noRaisedVerdicts, raised, moreUrgentFirst)), now);
  return alert;
}
