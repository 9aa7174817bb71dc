import type { Context, Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { byId, inScope } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { pageAnswer } from '../http/page.js';
import { findProject, requireAsked } from '../projects/find-project.js';
import { listScope } from '../projects/list-scope.js';
import { nameProjects } from '../projects/name-projects.js';
import type { AlertRow } from './alert-facts.js';
import { type Alert, type AlertWithVerdict, toAlert, verdictSummary } from './alert-row.js';
import { listAlerts } from './list-alerts.js';

interface AlertKey {
  readonly project_id: string;
  readonly alert_id: string;
}

type Acknowledgement = Pick<AlertRow, 'acknowledged_at' | 'acknowledged_by' | 'acknowledged_note'>;

export const alertHandlers: Handlers['alerts'] = {
  async list(ctx, input) {
    const scope = listScope(ctx, input.project_id);
    const [{ total, rows }] = await Promise.all([
      listAlerts(ctx.tx, scope, input),
      requireAsked(ctx, input.project_id),
    ]);
    const coverage = await listCoverage(ctx.tx, total, { scope, domain: 'dependencies' }, ctx.now);
    const projectOf = await nameProjects(ctx, input.project_id, rows);
    const items = rows.map((row) => ({ ...toAlert(row), ...projectOf(row) }));
    return { ...pageAnswer(input, total, items), coverage };
  },

  async get(ctx, key) {
    return toAlert(await requireAlert(ctx, key, alertOf(ctx, key)));
  },

  /** The same note again changes nothing. Another note replaces the first, and who acknowledged. */
  async acknowledge(ctx, { note = null, ...key }) {
    const alert = await lockUnresolved(ctx, key);
    if (alert.acknowledged_at !== null && alert.acknowledged_note === note) return toAlert(alert);
    return setAcknowledgement(ctx, alert, 'alert.acknowledge', {
      acknowledged_at: ctx.now,
      acknowledged_by: ctx.caller.name,
      acknowledged_note: note,
    });
  },

  async unacknowledge(ctx, key) {
    const alert = await lockUnresolved(ctx, key);
    if (alert.acknowledged_at === null) return toAlert(alert);
    return setAcknowledgement(ctx, alert, 'alert.unacknowledge', {
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_note: null,
    });
  },
};

function alertOf({ tx, organisationId }: Context, { project_id, alert_id }: AlertKey) {
  return tx
    .selectFrom('alerts')
    .selectAll()
    .select(verdictSummary)
    .where(inScope({ organisationId, projectId: project_id }))
    .where('id', '=', alert_id);
}

/** The alert that the query finds, or a 404 that says which of the two ids is wrong. */
async function requireAlert(
  ctx: Context,
  { project_id }: AlertKey,
  query: ReturnType<typeof alertOf>,
): Promise<AlertWithVerdict> {
  const alert = await query.executeTakeFirst();
  if (alert !== undefined) return alert;
  await findProject(ctx, project_id);
  throw notFound('alert');
}

/** Locks the alert, so that two callers who acknowledge it at once do so one after the other. */
async function lockUnresolved(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  const alert = await requireAlert(ctx, key, alertOf(ctx, key).forUpdate());
  if (alert.resolved_at !== null) throw conflict('already_resolved');
  return alert;
}

async function setAcknowledgement(
  { tx, organisationId, audit }: Context,
  before: AlertRow,
  action: 'alert.acknowledge' | 'alert.unacknowledge',
  acknowledgement: Acknowledgement,
): Promise<Alert> {
  const alert = await tx
    .updateTable('alerts')
    .set(acknowledgement)
    .where(byId(organisationId, before.id))
    .returningAll()
    .returning(verdictSummary)
    .executeTakeFirstOrThrow();
  const auditFacts = ({ acknowledged_at, acknowledged_by, acknowledged_note }: AlertRow) => ({
    acknowledged: acknowledged_at !== null,
    by: acknowledged_by,
    note: acknowledged_note,
  });
  await audit({
    action,
    target: { kind: 'alert', id: alert.id },
    about: alert,
    before: auditFacts(before),
    after: auditFacts(alert),
  });
  return toAlert(alert);
}
