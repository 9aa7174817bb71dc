import { machineVerdict } from '../../verdict/machine-verdict.js';
import { noRequest, recordAudit } from '../audit/record-audit.js';
import type { Database, Transaction } from '../db/database.js';
import { byId, inScope } from '../db/scope.js';
import { emitEvents } from '../events/outbox.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { auditFacts, noOverride } from './override.js';
import { overrideEvents } from './override-events.js';
import { updateAlertRanking } from './update-alert-ranking.js';

/** Projects, and overrides of one project, that one run handles; the next run takes the rest. */
const expiryBatchSize = 500;

/** An override ends at most this long after its expiry. */
const intervalMs = 60_000;

/** Ends expired overrides. */
export const expireOverridesJob = (database: Database): Job => ({
  ...{ name: 'override-expiry', everyMs: intervalMs, shared: 'one_instance', failure: 'overrides could not be ended' },
  run: (run) => expireOverrides(database, new Date(), run),
});

/** Ends expired overrides and returns how many. Each project has its own transaction, bound to its organisation. */
export async function expireOverrides(
  database: Database,
  now: Date,
  { stopping, done }: JobRun = withoutRunner,
): Promise<number> {
  const projects = await database.system((tx) =>
    tx
      .selectFrom('verdicts')
      .select(['organisation_id as organisationId', 'project_id as projectId'])
      .distinct()
      .where('override_expires_at', '<=', now)
      .limit(expiryBatchSize)
      .execute(),
  );
  let ended = 0;
  for (const project of projects) {
    if (stopping.aborted) break;
    const inProject = await database.tenant(project.organisationId, (tx) => expireInProject(tx, project, now));
    done(inProject);
    ended += inProject;
  }
  return ended;
}

async function expireInProject(tx: Transaction, project: ProjectKey, now: Date): Promise<number> {
  if (!(await lockProject(tx, project))) return 0;
  const expired = await tx
    .selectFrom('verdicts')
    .selectAll()
    .where(inScope(project))
    .where('override_expires_at', '<=', now)
    .limit(expiryBatchSize)
    .execute();
  const actor = { kind: 'system', id: 'override-expiry', name: 'Override expiry' } as const;
  const origin = { ...project, actor, ...noRequest };
  for (const verdict of expired) {
    await tx
      .updateTable('verdicts')
      .set({ ...noOverride, revision: verdict.revision + 1 })
      .where(byId(project.organisationId, verdict.id))
      .execute();
    const alert = await updateAlertRanking(
      tx,
      project,
      verdict,
      machineVerdict(verdict.evidence, verdict.formula),
      now,
    );
    await emitEvents(tx, project, overrideEvents(alert, verdict.id, 'expired', verdict, actor.name), now);
    await recordAudit(tx, origin, {
      action: 'verdict.override_expired',
      target: { kind: 'verdict', id: verdict.id },
      about: alert,
      before: auditFacts(verdict),
      after: auditFacts(noOverride),
    });
  }
  return expired.length;
}
