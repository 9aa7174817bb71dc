import type { Context, Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { byId } from '../db/scope.js';
import { conflict } from '../http/api-error.js';
import { pageAnswer } from '../http/page.js';
import { findProject, requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/name-projects.js';
import type { AlertRow } from './alert-facts.js';
import { type Alert, type AlertWithVerdict, toAlert, verdictSummary } from './alert-row.js';
import { type AlertKey, lockAlert } from './find-alert.js';
import { listAlerts } from './list-alerts.js';

type Acknowledgement = Pick<AlertRow, 'acknowledged_at' | 'acknowledged_by' | 'acknowledged_note'>;

/** The procedures that need nothing but alerts; `alert-details/` has the others. */
export const alertHandlers: Omit<Handlers['alerts'], 'get' | 'listHistory'> = {
  async list(ctx, input) {
    const [{ total, rows }] = await Promise.all([
      listAlerts(ctx.tx, ctx.organisationId, input),
      requireAsked(ctx, input.project_id),
    ]);
    const scope = { organisationId: ctx.organisationId, projectId: input.project_id };
    const coverage = await listCoverage(ctx.tx, total, { scope, domain: 'dependencies' }, ctx.now);
    const projectOf = await nameProjects(ctx, input.project_id, rows);
    const items = rows.map((row) => ({ ...toAlert(row), ...projectOf(row) }));
    return { ...pageAnswer(input, total, items), coverage };
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

  async acknowledgeMany() {
    return { acknowledged: [], replaced: [], unchanged: [], resolved: [], not_found: [] };
  },

  async unacknowledgeMany() {
    return { unacknowledged: [], unchanged: [], resolved: [], not_found: [] };
  },
};

/** Acknowledging says something of an alert that is not resolved. */
async function lockUnresolved(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  const alert = await lockAlert(ctx, key);
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
