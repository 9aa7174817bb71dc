import type { Transaction } from '../db/database.js';
import { emitEvents } from '../events/outbox.js';
import { requireRoom } from '../limits/require-room.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { type CurrentScan, currentScan, keepReportTime } from './newest-reports.js';
import type { Scan, ScanResult } from './scan.js';
import { distinctFindings, type ScanChanges, scanChanges } from './scan-changes.js';
import { findSameScan, finishHostedJob, openTiers, writeDoneJob } from './scan-job.js';
import { loadKnownFindings, writeScanChanges } from './write-findings.js';

interface AppliedScan extends ScanResult {
  /** All that the scan searched was searched by a newer report, which was uploaded before. */
  readonly outdated: boolean;
}

/**
 * Updates the findings of a scan's source to what the scan says, and keeps the scan as a job. A scan with the same content
 * as its tools' newest one changes nothing, and neither does one whose report is older than theirs. Other scans of the
 * project wait until the transaction has ended.
 *
 * Findings with the same tool and identity are one. A scanner that reports several equal ones puts their ordinal into the
 * identity (`numberedIdentities`).
 */
export async function applyScan(tx: Transaction, project: ProjectKey, given: Scan, now: Date): Promise<AppliedScan> {
  await lockProject(tx, project);
  const scan = { ...given, reportedAt: noLaterThan(now, given.reportedAt) };
  const { serverScanJobId } = scan;
  const same = await findSameScan(tx, project, scan);
  const {
    findings: counts,
    note,
    outdated,
  } = same === undefined
    ? await changeFindings(tx, project, scan, now)
    : { findings: nothingChanged(scan), note: null, outdated: false };
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
  return { scan_job_id, duplicate: same !== undefined, findings: counts, tiers, note, outdated };
}

/** Clocks differ. A report of tomorrow must not outdate all that come until then. */
function noLaterThan(now: Date, time: Date | null): Date | null {
  return time === null || time <= now ? time : now;
}

type Changed = Pick<AppliedScan, 'findings' | 'note' | 'outdated'>;

async function changeFindings(tx: Transaction, project: ProjectKey, scan: Scan, now: Date): Promise<Changed> {
  const current = await currentScan(tx, project, scan);
  const { searched, outdated } = current;
  const reported = distinctFindings(current.findings);
  const known = await loadKnownFindings(tx, project, scan);
  const changes = scanChanges(known, reported, { ...scan, searched }, now);
  await requireRoom(tx, project.organisationId, 'findings', changes.added.length);
  await writeScanChanges(tx, project, scan, changes, now);
  await keepReportTime(tx, project, scan, searched);
  const { total, unchanged } = changes.counts;
  const isOutdated = !isBlind(scan) && searched.length === 0 && outdated === scan.findings.length;
  return {
    findings: { ...changes.counts, total: total + outdated, unchanged: unchanged + outdated },
    note: isOutdated ? outdatedNote : noteOf(scan, current, changes),
    outdated: isOutdated,
  };
}

const outdatedNote = 'nothing was changed: a newer report of the same search was uploaded before';

/** What a reader of the counts must know to understand them. */
function noteOf(scan: Scan, current: CurrentScan, { kept }: ScanChanges): string | null {
  if (current.outdated > 0)
    return `${current.outdated} findings were left as they are: a newer report of their search was uploaded before`;
  if (isBlind(scan)) return 'nothing was fixed: the report does not say what it covered';
  return kept === 0
    ? null
    : `${kept} open findings that are not in the report were not fixed: it does not say that it covered them`;
}

/** Whether the report shows nothing that it has searched to the end. */
function isBlind({ searched }: Scan): boolean {
  return searched.every(({ parts }) => parts?.length === 0);
}

function nothingChanged({ findings }: Scan): ScanResult['findings'] {
  const reported = distinctFindings(findings);
  const suppressed = reported.filter(({ seers }) => seers.every((seer) => seer.suppressed)).length;
  const total = reported.length;
  return { total, new: 0, reopened: 0, fixed: 0, unchanged: total - suppressed, suppressed };
}
