import type { Context } from '../api/handler.js';
import { isListed } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { requireAsked } from '../projects/find-project.js';
import { type AlertWithVerdict, verdictSummary } from './alert-row.js';

export interface AlertKey {
  /** Undefined: of any project. */
  readonly project_id?: string | undefined;
  readonly alert_id: string;
}

/** The alerts of a project, or of all, with the summary of their verdicts. */
export function alertsOf({ tx, organisationId }: Context, projectId: string | undefined) {
  return tx.selectFrom('alerts').selectAll().select(verdictSummary).where(isListed({ organisationId, projectId }));
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
  await requireAsked(ctx, project_id);
  throw notFound('alert');
}
