import type { OverrideVerdict } from '../../shared/vulnerability-terms.js';
import { effectiveVerdict } from '../../verdict/band.js';
import { machineVerdict } from '../../verdict/machine-verdict.js';
import type { Context } from '../api/handler.js';
import { byId } from '../db/scope.js';
import { emitEvents } from '../events/outbox.js';
import { conflict, invalidField, notFound, requireRevision } from '../http/api-error.js';
import { type ProjectKey, requireProjectLock } from '../projects/find-project.js';
import { overrideEvents } from './override-events.js';
import { updateAlertRanking } from './update-alert-ranking.js';
import { requireVerdict, signatureOf, type Verdict, verdictsOf } from './verdict-row.js';

interface VerdictKey {
  readonly project_id: string;
  readonly verdict_id: string;
  readonly expected_revision?: number | undefined;
}

interface Override {
  readonly verdict: OverrideVerdict;
  readonly reason: string;
  readonly expires_at: Date | null;
}

/**
 * Sets an override on top of the machine verdict. An existing override may be another person's decision, so it is
 * replaced only by a caller who has read it (`expected_revision`). Setting the same override again changes nothing.
 */
export async function setOverride(ctx: Context, key: VerdictKey, override: Override): Promise<Verdict> {
  if (override.expires_at !== null && override.expires_at <= ctx.now) throw invalidField('expires_at', 'not_in_future');
  const { project, row } = await lockVerdict(ctx, key);
  requireRevision(row.revision, key.expected_revision);
  if (row.override_verdict !== null && key.expected_revision === undefined) {
    if (isSameOverride(row, override)) return requireVerdict(ctx.tx, project, key.verdict_id);
    throw conflict('already_overridden');
  }
  return writeOverride(ctx, project, row, 'verdict.override', {
    override_verdict: override.verdict,
    override_reason: override.reason,
    override_by: ctx.caller.name,
    override_at: ctx.now,
    override_expires_at: override.expires_at,
    override_signature: signatureOf(row.evidence, row.formula),
  });
}

/** Removes an override: the current machine verdict counts again. Without an override nothing changes. */
export async function clearOverride(ctx: Context, key: VerdictKey): Promise<Verdict> {
  const { project, row } = await lockVerdict(ctx, key);
  requireRevision(row.revision, key.expected_revision);
  if (row.override_verdict === null) return requireVerdict(ctx.tx, project, key.verdict_id);
  return writeOverride(ctx, project, row, 'verdict.clear_override', noOverride);
}

export const noOverride = {
  override_verdict: null,
  override_reason: null,
  override_by: null,
  override_at: null,
  override_expires_at: null,
  override_signature: null,
};

type OverrideColumns = { readonly [Column in keyof typeof noOverride]: VerdictRow[Column] };
type VerdictRow = Awaited<ReturnType<typeof lockVerdict>>['row'];

/** Locks the project first, so that no recomputation reads the override that is about to change. */
async function lockVerdict(ctx: Context, { project_id, verdict_id }: VerdictKey) {
  const project = await requireProjectLock(ctx, project_id);
  const row = await verdictsOf(ctx.tx, project)
    .selectAll('verdicts')
    .where('verdicts.id', '=', verdict_id)
    .executeTakeFirstOrThrow(() => notFound('verdict'));
  return { project, row };
}

function isSameOverride(row: VerdictRow, { verdict, reason, expires_at }: Override): boolean {
  return (
    row.override_verdict === verdict &&
    row.override_reason === reason &&
    row.override_expires_at?.getTime() === expires_at?.getTime()
  );
}

async function writeOverride(
  ctx: Context,
  project: ProjectKey,
  before: VerdictRow,
  action: 'verdict.override' | 'verdict.clear_override',
  columns: OverrideColumns,
): Promise<Verdict> {
  await ctx.tx
    .updateTable('verdicts')
    .set({ ...columns, revision: before.revision + 1 })
    .where(byId(project.organisationId, before.id))
    .execute();
  const effective = effectiveVerdict(machineVerdict(before.evidence, before.formula), columns.override_verdict);
  const alert = await updateAlertRanking(ctx.tx, project, before, effective, ctx.now);
  const change = columns.override_verdict === null ? 'cleared' : 'set';
  const override = columns.override_verdict === null ? before : columns;
  await emitEvents(ctx.tx, project, overrideEvents(alert, before.id, change, override, ctx.caller.name), ctx.now);
  await ctx.audit({
    action,
    target: { kind: 'verdict', id: before.id },
    about: alert,
    before: auditFacts(before),
    after: auditFacts(columns),
  });
  return requireVerdict(ctx.tx, project, before.id);
}

/** The columns of an override that the audit log keeps. */
export function auditFacts(columns: Omit<OverrideColumns, 'override_signature'>) {
  return {
    verdict: columns.override_verdict,
    reason: columns.override_reason,
    set_by: columns.override_by,
    expires_at: columns.override_expires_at,
  };
}
