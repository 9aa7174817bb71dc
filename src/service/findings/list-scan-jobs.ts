import type { Transaction } from '../db/database.js';
import { offsetOf } from '../http/page.js';
import type { ScanJobRow } from './finding-row.js';

export interface ScanJobsFilter {
  readonly project_id: string;
  readonly domain: ScanJobRow['domain'];
  /** Jobs queued here for a runner, as opposed to uploaded reports. */
  readonly hosted: boolean;
  readonly page: number;
  readonly page_size: number;
}

/** One page of a project's scan jobs, newest first. The order is that of the index `scan_jobs_newest`. */
export function scanJobsPage(tx: Transaction, organisationId: string, filter: ScanJobsFilter) {
  return filtered(tx, organisationId, filter)
    .selectAll()
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.page_size)
    .offset(offsetOf(filter));
}

/** How many scan jobs there are, and that page of them. */
export async function listScanJobs(tx: Transaction, organisationId: string, filter: ScanJobsFilter) {
  const { total } = await filtered(tx, organisationId, filter)
    .select((job) => job.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total, rows: await scanJobsPage(tx, organisationId, filter).execute() };
}

function filtered(tx: Transaction, organisationId: string, { project_id, domain, hosted }: ScanJobsFilter) {
  return tx
    .selectFrom('scan_jobs')
    .where('organisation_id', '=', organisationId)
    .where('project_id', '=', project_id)
    .where('domain', '=', domain)
    .where('hosted', '=', hosted);
}
