import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import type { JobKey } from './job-key.js';

interface NewScanRow {
  readonly organisationId: string;
  readonly projectId: string;
  readonly id: string;
  readonly procedure: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly now: Date;
}

/**
 * Shows a report that waits among the scan jobs of its project, under the upload's id. Its tools are not known yet, and of an
 * application neither are its addresses. The scan that it becomes takes its place.
 */
export async function addScanRow(tx: Transaction, given: NewScanRow): Promise<void> {
  const shown = shownAs(given);
  if (shown === null) return;
  const { organisationId: organisation_id, projectId: project_id, id, now: queued_at } = given;
  await tx
    .insertInto('scan_jobs')
    .values({ organisation_id, id, project_id, status: 'queued', tool: null, queued_at, ...shown })
    .execute();
}

function shownAs({ procedure, query }: NewScanRow) {
  if (procedure === 'sast.uploadReport') {
    return { domain: 'code', source: textOf(query['source_repo']), mode: null } as const;
  }
  if (procedure !== 'dast.uploadReport') return null;
  return { domain: 'running_app', source: '', mode: modes.get(query['mode']) ?? 'baseline' } as const;
}

const modes = new Map<unknown, string>([
  ['full', 'full'],
  ['api', 'api'],
]);

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2048) : '';
}

export async function startScanRow(tx: Transaction, { organisationId, id }: JobKey, now: Date): Promise<void> {
  await tx
    .updateTable('scan_jobs')
    .set({ status: 'running', started_at: now })
    .where(byId(organisationId, id))
    .where('status', '=', 'queued')
    .execute();
}

export async function endScanRow(tx: Transaction, { organisationId, id }: JobKey, error: string, now: Date) {
  await tx
    .updateTable('scan_jobs')
    .set({ status: 'failed', error: error.slice(0, 500), finished_at: now })
    .where(byId(organisationId, id))
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

export async function removeScanRow(tx: Transaction, { organisationId, id }: JobKey): Promise<void> {
  await tx.deleteFrom('scan_jobs').where(byId(organisationId, id)).execute();
}
