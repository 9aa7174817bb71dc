import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { key, type List } from '../http/list-order.js';
import { loadPage, type Paging } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import type { ScanJobRow } from './finding-row.js';

/** `hosted` jobs were queued here for a runner; the others are uploaded reports. */
type ScanJobsFilter = Pick<ScanJobRow, 'domain' | 'hosted'>;

/** Newest first. Of one project the index `scan_jobs_newest` has this order. */
export const newestJobs: List = {
  keys: [key('queued_at', 'timestamptz', 'desc'), key('id', 'text', 'desc')],
  appeared: sql`queued_at`,
};

/** Unordered. */
export function scanJobs(tx: Transaction, scope: Scope, { domain, hosted }: ScanJobsFilter) {
  return tx
    .selectFrom('scan_jobs')
    .selectAll()
    .where(isListed(scope))
    .where((job) => job.and({ domain, hosted }));
}

/** One page of scan jobs as the API answers them, or 404. */
export async function listScanJobs<Job>(
  ctx: Context,
  filter: ScanJobsFilter & Paging & { readonly project_id?: string | undefined; readonly group?: string | undefined },
  toJob: (row: ScanJobRow) => Job,
) {
  const jobs = scanJobs(ctx.tx, await listScope(ctx, filter), filter);
  const [page] = await Promise.all([loadPage(ctx, newestJobs, filter, jobs), requireAsked(ctx, filter.project_id)]);
  const projectOf = await nameProjects(ctx, filter.project_id, page.items);
  return { ...page, items: page.items.map((row) => ({ ...toJob(row), ...projectOf(row) })) };
}
