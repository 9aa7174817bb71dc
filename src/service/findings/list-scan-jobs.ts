import type { Transaction } from '../db/database.js';
import { loadPage } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import type { ScanJobRow } from './finding-row.js';

interface Tenant {
  readonly tx: Transaction;
  readonly organisationId: string;
}

/** `hosted` jobs were queued here for a runner; the others are uploaded reports. */
type ScanJobsFilter = Pick<ScanJobRow, 'project_id' | 'domain' | 'hosted'>;

/** A project's scan jobs, newest first. The order is that of the index `scan_jobs_newest`. */
export function scanJobs({ tx, organisationId }: Tenant, { project_id, domain, hosted }: ScanJobsFilter) {
  return tx
    .selectFrom('scan_jobs')
    .selectAll()
    .where((job) => job.and({ organisation_id: organisationId, project_id, domain, hosted }))
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc');
}

/** One page of a project's scan jobs as the API answers them, or 404. */
export async function listScanJobs<Job>(
  ctx: Tenant,
  filter: ScanJobsFilter & { readonly page: number; readonly page_size: number },
  toJob: (row: ScanJobRow) => Job,
) {
  const [page] = await Promise.all([loadPage(filter, scanJobs(ctx, filter)), findProject(ctx, filter.project_id)]);
  return { ...page, items: page.items.map(toJob) };
}
