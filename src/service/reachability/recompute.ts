import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { effectiveVerdict } from '../../verdict/band.js';
import type { StoredEvidence } from '../../verdict/evidence.js';
import { formula } from '../../verdict/formula.js';
import { factsSignature, machineVerdict } from '../../verdict/machine-verdict.js';
import { isAmong, type PackageKey, type PackageScope } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { byId, inScope, refersTo } from '../db/scope.js';
import type { NotifiedVerdict } from '../events/domain-event.js';
import { addToTopN, type TopN } from '../events/top-n.js';
import type { ProjectKey } from '../projects/find-project.js';
import { alertEvidence } from './alert-evidence.js';
import { keepVerdictChanges } from './keep-verdict-changes.js';
import { loadVerdictContexts, type ProjectEvidence, projectEvidence } from './load-verdict-contexts.js';
import { emitProjectEvents, noProjectEvents } from './project-events.js';
import { raisedVerdict } from './raised-verdicts.js';
import { moreUrgentFirst, noRaisedVerdicts } from './verdict-events.js';
import { signatureOf } from './verdict-row.js';
import { type ComputedVerdict, writeVerdicts } from './write-verdicts.js';

/**
 * Alerts that the transaction of a change evaluates itself: some tens of milliseconds, for which everybody waits on the
 * embedded database.
 */
const firstAlerts = 100;

/** Alerts of a few packages that are read at once. */
const alertsAtOnce = 500;

export interface VerdictCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** More alerts are left than one transaction evaluates. `continueAssessments` (assessment/) evaluates them. */
  readonly pending: boolean;
}

const noVerdicts: VerdictCounts = { created: 0, updated: 0, unchanged: 0, pending: false };

/**
 * Brings the verdicts on a project's unresolved alerts in line with the newest usage report, the intelligence and the
 * declared exposure. Overrides stay. What has not changed is not written. A project without a report has no verdicts.
 *
 * The caller holds the project's lock. Only the first alerts are evaluated now. Those left over in a large project get
 * their own transactions: a long one would block all requests, as the embedded database has one connection.
 */
export async function recomputeVerdicts(tx: Transaction, key: ProjectKey, now: Date): Promise<VerdictCounts> {
  return recomputeNext(tx, key, now, '', firstAlerts);
}

/** Does the same for the alerts of some packages, and all of them now. Returns the raised ones, which the caller tells. */
export async function recomputeVerdictsOf(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  packages: readonly PackageKey[],
): Promise<TopN<NotifiedVerdict>> {
  const project = packages.length === 0 ? undefined : await projectEvidence(tx, key);
  let all = noRaisedVerdicts;
  for (let after: string | null = ''; project !== undefined && after !== null; ) {
    const wanted = { project, scope: packages, after, limit: alertsAtOnce };
    const { last, raised }: Batch = await recomputeBatch(tx, key, now, wanted);
    all = addToTopN(all, raised, moreUrgentFirst);
    after = last;
  }
  return all;
}

/** Evaluates the next alerts of a recomputation of all: at most `limit` of those after the alert `after`. */
export async function recomputeNext(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  after: string,
  limit: number,
): Promise<VerdictCounts> {
  const project = await projectEvidence(tx, key);
  const batch = project && (await recomputeBatch(tx, key, now, { project, scope: 'all', after, limit }));
  const { counts, last, raised } = batch ?? { counts: noVerdicts, last: null, raised: [] };
  await setDueAfter(tx, key, last);
  await emitProjectEvents(
    tx,
    key,
    { ...noProjectEvents, raised: addToTopN(noRaisedVerdicts, raised, moreUrgentFirst) },
    now,
  );
  return { ...counts, pending: last !== null };
}

async function setDueAfter(tx: Transaction, key: ProjectKey, after: string | null): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ verdicts_due_after: after })
    .where(byId(key.organisationId, key.projectId))
    .where('verdicts_due_after', 'is distinct from', after)
    .execute();
}

interface Batch {
  readonly counts: Omit<VerdictCounts, 'pending'>;
  /** The last alert evaluated; null where no alerts are left. */
  readonly last: string | null;
  /** Those that have become more urgent. */
  readonly raised: readonly NotifiedVerdict[];
}

async function recomputeBatch(
  tx: Transaction,
  key: ProjectKey,
  now: Date,
  {
    project,
    scope,
    after,
    limit,
  }: {
    readonly project: ProjectEvidence;
    readonly scope: PackageScope;
    readonly after: string;
    readonly limit: number;
  },
): Promise<Batch> {
  const alerts = await readAlerts(tx, key, scope, after, limit);
  const changed = await evaluate(tx, key, alerts, project);
  await keepVerdictChanges(tx, key, alerts, changed, { now, reportedAt: project.reportedAt });
  await writeVerdicts(tx, key, changed, now);
  const created = changed.filter(({ isNew }) => isNew).length;
  return {
    counts: { created, updated: changed.length - created, unchanged: alerts.length - changed.length },
    last: alerts.length === limit ? (alerts.at(-1)?.id ?? null) : null,
    raised: raisedVerdicts(alerts, changed),
  };
}

/** The evidence of a verdict with an override that was computed by another formula; null for all others. */
const formerEvidence = sql<StoredEvidence | null>`
  case when verdicts.formula <> ${formula.name} and verdicts.override_signature is not null then verdicts.evidence end`;

/** The next unresolved alerts in scope, each with its stored verdict. */
async function readAlerts(tx: Transaction, key: ProjectKey, scope: PackageScope, after: string, limit: number) {
  return tx
    .selectFrom('alerts')
    .leftJoin('verdicts', (join) => join.on(refersTo('verdicts.alert_id', 'alerts')))
    .selectAll('alerts')
    .select([
      'verdicts.id as verdict_id',
      'verdicts.evidence_hash',
      'verdicts.formula',
      'verdicts.machine_band',
      'verdicts.machine_score',
      'verdicts.override_verdict',
      'verdicts.override_signature',
      formerEvidence.as('former_evidence'),
    ])
    .where(inScope(key, 'alerts'))
    .where('alerts.resolved_at', 'is', null)
    .where('alerts.id', '>', after)
    .where(isAmong(scope))
    .orderBy('alerts.id')
    .limit(limit)
    .execute();
}

type ReadAlert = Awaited<ReturnType<typeof readAlerts>>[number];

/** The verdicts that differ from the stored ones. */
async function evaluate(
  tx: Transaction,
  key: ProjectKey,
  alerts: readonly ReadAlert[],
  project: ProjectEvidence,
): Promise<ComputedVerdict[]> {
  const contextOf = await loadVerdictContexts(tx, key, alerts, project);
  return alerts.flatMap((alert) => {
    const evidence = alertEvidence(alert, contextOf(alert));
    const text = JSON.stringify(evidence);
    const hash = createHash('sha256').update(`${formula.name} ${text}`).digest();
    if (alert.evidence_hash?.equals(hash) === true) return [];
    const machine = machineVerdict(evidence);
    return {
      id: alert.verdict_id ?? newId('vrd'),
      isNew: alert.verdict_id === null,
      alertId: alert.id,
      machine,
      effective: effectiveVerdict(machine, alert.override_verdict),
      usage: evidence.usage.usage,
      found: evidence,
      evidence: text,
      evidenceHash: hash,
      overrideSignature: signatureUnderNewFormula(alert, evidence),
    };
  });
}

/**
 * A new formula judges the same facts in another way. No fact has changed since the override then, so the override is
 * signed anew, and does not count as outdated. Null where a fact has changed as well, and where nothing needs a signature.
 */
function signatureUnderNewFormula(alert: ReadAlert, evidence: StoredEvidence): Buffer | null {
  const { formula: name, former_evidence: stored, override_signature: signature } = alert;
  if (name === null || stored === null || signature === null) return null;
  const wasCurrent = signature.equals(signatureOf(stored, name));
  return wasCurrent && factsSignature(stored) === factsSignature(evidence) ? signatureOf(evidence) : null;
}

function raisedVerdicts(alerts: readonly ReadAlert[], changed: readonly ComputedVerdict[]) {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  return changed.flatMap(({ id, alertId, effective }) => {
    const alert = byId.get(alertId);
    return alert === undefined ? [] : raisedVerdict(alert, id, alert.verdict_band, effective);
  });
}
