import type { Context } from '../api/handler.js';
import { inScope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { findProject } from '../projects/find-project.js';
import { type AlertWithVerdict, verdictSummary } from './alert-row.js';

export interface AlertKey {
  readonly project_id: string;
  readonly alert_id: string;
}

/** A project's alerts, with the summary of their verdicts. */
export function alertsOf({ tx, organisationId }: Context, projectId: string) {
  return tx.selectFrom('alerts').selectAll().select(verdictSummary).where(inScope({ organisationId, projectId }));
}

/** The alert, or a 404 that says which of the two ids is wrong. */
export function findAlert(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  return requireOne(ctx, key, alertsOf(ctx, key.project_id).where('id', '=', key.alert_id));
}

/** The same, and locks it: two callers who change it at once do so one after the other. */
export function lockAlert(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  return requireOne(ctx, key, alertsOf(ctx, key.project_id).where('id', '=', key.alert_id).forUpdate());
}

async function requireOne(
  ctx: Context,
  { project_id }: AlertKey,
  query: ReturnType<typeof alertsOf>,
): Promise<AlertWithVerdict> {
  const alert = await query.executeTakeFirst();
  if (alert !== undefined) return alert;
  await findProject(ctx, project_id);
  throw notFound('alert');
}
