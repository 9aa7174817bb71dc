import { sql } from 'kysely';
import { withCleared } from '../api/cleared.js';
import type { Context, Handlers } from '../api/handler.js';
import { conflict } from '../http/api-error.js';
import { findProject } from '../projects/find-project.js';
import { type Acknowledgement, auditedAcknowledgement, noAcknowledgement } from './acknowledgement.js';
import type { AlertRow } from './alert-facts.js';
import { type AlertWithVerdict, toAlert, verdictSummary } from './alert-row.js';
import { type AlertKey, alertsOf, lockAlert } from './find-alert.js';
import { adviseAlerts } from './package-advice.js';

type Action = 'alert.acknowledge' | 'alert.unacknowledge';

const by = ({ now, caller }: Context, note: string | null = null): Acknowledgement => ({
  acknowledged_at: now,
  acknowledged_by: caller.name,
  acknowledged_note: note,
});

/** Without a note any will do. */
const hasNote = (alert: AlertRow, note?: string | null) =>
  alert.acknowledged_at !== null && (note === undefined || alert.acknowledged_note === note);

export const acknowledgeHandlers: Pick<
  Handlers['alerts'],
  'acknowledge' | 'unacknowledge' | 'acknowledgeMany' | 'unacknowledgeMany'
> = {
  /** The same note again changes nothing. Another note replaces the first, and who acknowledged. */
  async acknowledge(ctx, { note: given, clear, ...key }) {
    const { note } = withCleared({ note: given }, clear);
    const alert = await lockUnresolved(ctx, key);
    return hasNote(alert, note) ? answer(ctx, alert) : write(ctx, alert, 'alert.acknowledge', by(ctx, note));
  },

  async unacknowledge(ctx, key) {
    const alert = await lockUnresolved(ctx, key);
    return alert.acknowledged_at === null
      ? answer(ctx, alert)
      : write(ctx, alert, 'alert.unacknowledge', noAcknowledgement);
  },

  async acknowledgeMany(ctx, { project_id, alert_ids, note: given, clear }) {
    const { note } = withCleared({ note: given }, clear);
    const { unresolved, resolved, not_found } = await lockMany(ctx, project_id, alert_ids);
    const [unchanged, changed] = split(unresolved, (alert) => hasNote(alert, note));
    const [acknowledged, replaced] = split(changed, ({ acknowledged_at }) => acknowledged_at === null);
    await writeAll(ctx, changed, 'alert.acknowledge', by(ctx, note));
    const lists = { acknowledged: idsOf(acknowledged), replaced: idsOf(replaced), unchanged: idsOf(unchanged) };
    return { ...lists, resolved: idsOf(resolved), not_found };
  },

  async unacknowledgeMany(ctx, { project_id, alert_ids }) {
    const { unresolved, resolved, not_found } = await lockMany(ctx, project_id, alert_ids);
    const [unchanged, changed] = split(unresolved, ({ acknowledged_at }) => acknowledged_at === null);
    await writeAll(ctx, changed, 'alert.unacknowledge', noAcknowledgement);
    return { unacknowledged: idsOf(changed), unchanged: idsOf(unchanged), resolved: idsOf(resolved), not_found };
  },
};

/** Acknowledging says something of an alert that is not resolved. */
async function lockUnresolved(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  const alert = await lockAlert(ctx, key);
  if (alert.resolved_at !== null) throw conflict('already_resolved');
  return alert;
}

/** Locks in the order of ids, so that two calls about the same alerts do not wait for each other. */
async function lockMany(ctx: Context, projectId: string, given: readonly string[]) {
  const ids = [...new Set(given)];
  await findProject(ctx, projectId);
  const found = await alertsOf(ctx, projectId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const known = new Set(found.map(({ id }) => id));
  const [unresolved, resolved] = split(found, ({ resolved_at }) => resolved_at === null);
  return { unresolved, resolved, not_found: ids.filter((id) => !known.has(id)) };
}

async function answer(ctx: Context, alert: AlertWithVerdict) {
  const [advised] = await adviseAlerts(ctx, [alert]);
  if (advised === undefined) throw new Error('an alert has no answer');
  return toAlert(advised);
}

async function write(ctx: Context, alert: AlertRow, action: Action, acknowledgement: Acknowledgement) {
  const [written] = await writeAll(ctx, [alert], action, acknowledgement);
  if (written === undefined) throw new Error('a locked alert is gone');
  return answer(ctx, written);
}

/** In one statement, which counts them once. The audit log has an entry for each: it is read by alert, CVE and package. */
async function writeAll(
  { tx, organisationId, auditAll }: Context,
  alerts: readonly AlertRow[],
  action: Action,
  acknowledgement: Acknowledgement,
): Promise<AlertWithVerdict[]> {
  if (alerts.length === 0) return [];
  const written = await tx
    .updateTable('alerts')
    .set(acknowledgement)
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${idsOf(alerts)}::text[])`)
    .returningAll()
    .returning(verdictSummary)
    .execute();
  await auditAll(
    alerts.map((alert) => ({
      action,
      target: { kind: 'alert', id: alert.id },
      about: alert,
      before: auditedAcknowledgement(alert),
      after: auditedAcknowledgement(acknowledgement),
    })),
  );
  return written;
}

function idsOf(alerts: readonly Pick<AlertRow, 'id'>[]): string[] {
  return alerts.map(({ id }) => id);
}

/** Those that pass, and those that do not. */
function split<Row>(rows: readonly Row[], passes: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(passes), rows.filter((row) => !passes(row))];
}
