import { emitEvents } from '../events/outbox.js';
import { lockProject } from '../projects/find-project.js';
import type { ApplyScan, Scan } from './scan.js';
import { distinctFindings, type ScanCounts, scanChanges } from './scan-changes.js';
import { scanEvents } from './scan-events.js';
import { findSameScan, finishHostedJob, openTiers, writeDoneJob } from './scan-job.js';
import { loadKnownFindings, writeScanChanges } from './write-findings.js';

/**
 * Makes the findings of a scan's source and tools what the scan says, and keeps the scan as a job. A scan with the very
 * content of the newest one changes nothing. Whoever else scans the project waits until the transaction has ended.
 *
 * Findings with the same tool and identity are one: a reader of reports that wants to tell apart several like ones
 * puts their ordinal into the identity.
 */
export const applyScan: ApplyScan = async (tx, project, scan, now) => {
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
  const finished = {
    id: serverScanJobId ?? scan_job_id,
    domain: scan.domain,
    source: scan.source,
    findings: counts,
    tiers,
  };
  const isNews = same === undefined || serverScanJobId !== undefined;
  await emitEvents(tx, project, isNews ? scanEvents({ ...finished, status: 'done' }) : [], now);
  return { scan_job_id, duplicate: same !== undefined, findings: counts, tiers };
};

function nothingChanged(reported: Scan['findings']): ScanCounts {
  const suppressed = reported.filter((finding) => finding.suppressed).length;
  const total = reported.length;
  return { total, new: 0, reopened: 0, fixed: 0, unchanged: total - suppressed, suppressed };
}
