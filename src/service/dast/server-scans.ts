import type { AuditAction } from '../../procedures/audit-actions.js';
import type { Context, Handlers } from '../api/handler.js';
import { newSortableId } from '../db/ids.js';
import { emitEvents } from '../events/outbox.js';
import type { ScanJobRow } from '../findings/finding-row.js';
import { listScanJobs } from '../findings/list-scan-jobs.js';
import { conflict, notFound } from '../http/api-error.js';
import { findProject } from '../projects/find-project.js';
import { toServerScanJob } from './app-finding.js';
import { findTarget } from './targets.js';

type ServerScans = Pick<
  Handlers['dast'],
  'listServerScanJobs' | 'queueServerScan' | 'claimServerScan' | 'failServerScan'
>;

const domain = 'running_app';

export const serverScanHandlers: ServerScans = {
  listServerScanJobs: (ctx, input) => listScanJobs(ctx, { ...input, domain, hosted: true }, toServerScanJob),

  async queueServerScan(ctx, { project_id, target_id, mode }) {
    await findProject(ctx, project_id);
    const { url: source } = await findTarget(ctx, project_id, target_id);
    const job = await ctx.tx
      .insertInto('scan_jobs')
      .values({
        organisation_id: ctx.organisationId,
        id: newSortableId('job'),
        project_id,
        domain,
        hosted: true,
        status: 'queued',
        source,
        mode,
        queued_at: ctx.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(ctx, job, 'dast_scan.queue', { target_url: source, mode });
    return toServerScanJob(job);
  },

  /** Skips a job that another runner is claiming at this moment, and does not wait for it. */
  async claimServerScan(ctx, { project_id, runner }) {
    await findProject(ctx, project_id);
    const job = await ctx.tx
      .updateTable('scan_jobs')
      .set({ status: 'running', runner, started_at: ctx.now })
      .where('organisation_id', '=', ctx.organisationId)
      .where('id', '=', (queued) =>
        queued
          .selectFrom('scan_jobs')
          .select('id')
          .where(({ and }) =>
            and({ organisation_id: ctx.organisationId, project_id, domain, hosted: true, status: 'queued' }),
          )
          .orderBy('queued_at')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst();
    if (job === undefined) return { job: null };
    await audit(ctx, job, 'dast_scan.claim', { runner });
    return { job: toServerScanJob(job) };
  },

  async failServerScan(ctx, { project_id, job_id, error }) {
    await findProject(ctx, project_id);
    const job = await lockServerScan(ctx, project_id, job_id);
    if (isOver(job)) throw conflict('job_over');
    const failed = await ctx.tx
      .updateTable('scan_jobs')
      .set({ status: 'failed', error, finished_at: ctx.now })
      .where(({ and }) => and({ organisation_id: ctx.organisationId, id: job_id }))
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(ctx, failed, 'dast_scan.fail', { error });
    const scan = { id: job_id, domain, source: job.source, status: 'failed', findings: null, tiers: null } as const;
    const project = { organisationId: ctx.organisationId, projectId: project_id };
    await emitEvents(ctx.tx, project, [{ type: 'scan.finished', data: { scan } }], ctx.now);
    return toServerScanJob(failed);
  },
};

/** The hosted job, locked until the transaction ends, or 404. */
export async function lockServerScan({ tx, organisationId }: Context, projectId: string, id: string) {
  return tx
    .selectFrom('scan_jobs')
    .selectAll()
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, hosted: true, id }))
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('scan_job'));
}

export function isOver({ status }: Pick<ScanJobRow, 'status'>): boolean {
  return status === 'done' || status === 'failed';
}

function audit(ctx: Context, { id }: ScanJobRow, action: AuditAction, after: Readonly<Record<string, unknown>>) {
  return ctx.audit({ action, target: { kind: 'scan_job', id }, after });
}
