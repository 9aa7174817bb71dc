import type { Transaction } from '../db/database.js';
import { emitEvents } from '../events/outbox.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import type { Scan, ScanResult } from './scan.js';
import { distinctFindings, scanChanges } from './scan-changes.js';
import { findSameScan, finishHostedJob, openTiers, writeDoneJob } from './scan-job.js';
import { loadKnownFindings, writeScanChanges } from './write-findings.js';

/**
 * Updates the findings of a scan's source and tools to what the scan says, and keeps the scan as a job. A scan with the same
 * content as the newest one changes nothing. Other scans of the project wait until the transaction has ended.
 *
 * Findings with the same tool and identity are one. A scanner that reports several equal ones puts their ordinal into the
 * identity (`numberedIdentities`).
 */
export async function applyScan(tx: Transaction, project: ProjectKey, scan: Scan, now: Date): Promise<ScanResult> {
  await lockProject(tx, project);
  const reported = distinctFindings(scan.findings);
  const { serverScanJobId } = scan;
  const same = await findSameScan(tx, project, scan);
  let counts = nothingChanged(reported);
  if (same === undefined) {
    const changes = scanChanges(await loadKnownFindings(tx, project, scan), reported, scan);
    await writeScanChanges(tx, project, scan, changes, now);
    counts = changes.counts;
  }
  const tiers = await openTiers(tx, project, scan);
  const scan_job_id = same ?? (await writeDoneJob(tx, project, scan, tiers, now));
  if (serverScanJobId !== undefined) await finishHostedJob(tx, project, serverScanJobId, scan, tiers, now);
  if (same === undefined || serverScanJobId !== undefined) {
    const { domain, source } = scan;
    const done = {
      id: serverScanJobId ?? scan_job_id,
      domain,
      source,
      status: 'done',
      findings: counts,
      tiers,
    } as const;
    await emitEvents(tx, project, [{ type: 'scan.finished', data: { scan: done } }], now);
  }
  return { scan_job_id, duplicate: same !== undefined, findings: counts, tiers };
}

function nothingChanged(reported: Scan['findings']): ScanResult['findings'] {
  const suppressed = reported.filter((finding) => finding.suppressed).length;
  const total = reported.length;
  return { total, new: 0, reopened: 0, fixed: 0, unchanged: total - suppressed, suppressed };
}
