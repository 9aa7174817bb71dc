import type { Transaction } from '../db/database.js';
import { isListed } from '../db/scope.js';
import { loadPage } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/name-projects.js';
import type { ScanJobRow } from './finding-row.js';

interface Tenant {
  readonly tx: Transaction;
  readonly organisationId: string;
}

/** `hosted` jobs were queued here for a runner; the others are uploaded reports. */
interface ScanJobsFilter extends Pick<ScanJobRow, 'domain' | 'hosted'> {
  /** Undefined: all projects. */
  readonly project_id?: string | undefined;
}

/** Scan jobs, newest first. The order is that of the indexes `scan_jobs_newest` and `scan_jobs_of_all`. */
export function scanJobs({ tx, organisationId }: Tenant, { project_id, domain, hosted }: ScanJobsFilter) {
  return tx
    .selectFrom('scan_jobs')
    .selectAll()
    .where(isListed({ organisationId, projectId: project_id }))
    .where((job) => job.and({ domain, hosted }))
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc');
}

/** One page of scan jobs as the API answers them, or 404. */
export async function listScanJobs<Job>(
  ctx: Tenant,
  filter: ScanJobsFilter & { readonly page: number; readonly page_size: number },
  toJob: (row: ScanJobRow) => Job,
) {
  const [page] = await Promise.all([loadPage(filter, scanJobs(ctx, filter)), requireAsked(ctx, filter.project_id)]);
  const projectOf = await nameProjects(ctx, filter.project_id, page.items);
  return { ...page, items: page.items.map((row) => ({ ...toJob(row), ...projectOf(row) })) };
}
