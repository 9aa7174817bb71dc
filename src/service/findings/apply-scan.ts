import type { Transaction } from '../db/database.js';
import { emitEvents } from '../events/outbox.js';
import type { Landing } from '../landing/landing.js';
import { requireRoomForFindings } from '../limits/require-room.js';
import { lockProject, type ProjectKey } from '../projects/find-project.js';
import { loadKnownFindings } from './known-findings.js';
import { keepLastReports, seersOf } from './last-reports.js';
import { type CurrentScan, currentScan, keepReportTimes } from './newest-reports.js';
import type { Scan, ScanResult } from './scan.js';
import { distinctFindings, type ScanChanges, scanChanges } from './scan-changes.js';
import { findSameScan, finishHostedJob, newJobId, openTiers, writeDoneJobs } from './scan-job.js';
import { writeScanChanges } from './write-findings.js';

/** A scan whose findings are written. Its job and its events are left to `finishScans`. */
export interface AppliedScan {
  readonly result: ScanResult;
  /** All that the scan searched was searched by a newer report, which was uploaded before. */
  readonly outdated: boolean;
  /** Findings that were not there before. */
  readonly added: number;
  readonly scan: Scan;
  /** What of the scan counted. */
  readonly current: CurrentScan;
}

/**
 * Updates the findings of a scan's source to what the scan says, in short steps. A scan with the same content as its tools'
 * newest one changes nothing, and neither does one whose report is older than theirs. Other scans of the project wait until
 * the landing has ended.
 *
 * Findings with the same tool and identity are one. A scanner that reports several equal ones puts their ordinal into the
 * identity (`numberedIdentities`).
 */
export async function applyScan(
  step: Landing<never>['step'],
  project: ProjectKey,
  given: Scan,
  now: Date,
): Promise<AppliedScan> {
  const scan = { ...given, reportedAt: noLaterThan(now, given.reportedAt) };
  const { same, current } = await step(async (tx) => {
    await lockProject(tx, project);
    const known = await findSameScan(tx, project, scan);
    return { same: known, current: known === undefined ? await currentScan(tx, project, scan) : nothingOf };
  });
  const { findings, note, outdated, added } =
    same === undefined
      ? await changeFindings(step, project, scan, current, now)
      : { findings: await nothingChanged(scan), note: null, outdated: false, added: 0 };
  const tiers = await step((tx) => openTiers(tx, project, scan));
  const result = { scan_job_id: same ?? newJobId(), duplicate: same !== undefined, findings, tiers, note };
  return { result, outdated, added, scan, current };
}

/**
 * Keeps scans as jobs, and says that they are done. The last step of their landing, which is refused where scans of other
 * projects have taken the plan's room meanwhile.
 */
export async function finishScans(
  tx: Transaction,
  project: ProjectKey,
  applied: readonly AppliedScan[],
  now: Date,
): Promise<void> {
  const added = applied.reduce((sum, each) => sum + each.added, 0);
  await requireRoomForFindings(tx, project.organisationId, { added, isWritten: true });
  const fresh = applied.filter(({ result }) => !result.duplicate);
  if (fresh.length > 0) {
    await keepReportTimes(tx, project, fresh);
    const reports = fresh.map(({ scan, current }) => ({ ...scan, seers: seersOf(current) }));
    await keepLastReports(tx, project, reports, now);
    await writeDoneJobs(tx, project, fresh, now);
  }
  for (const { scan, result } of applied) {
    if (scan.serverScanJobId !== undefined)
      await finishHostedJob(tx, project, scan.serverScanJobId, scan, result.tiers, now);
  }
  const done = applied.filter(({ scan, result }) => !result.duplicate || scan.serverScanJobId !== undefined);
  await emitEvents(tx, project, done.map(finished), now);
}

function finished({
  scan: { domain, source, serverScanJobId },
  result: { scan_job_id, findings, tiers },
}: AppliedScan) {
  const scan = { id: serverScanJobId ?? scan_job_id, domain, source, status: 'done', findings, tiers } as const;
  return { type: 'scan.finished', data: { scan } } as const;
}

/** Clocks differ. A report of tomorrow must not outdate all that come until then. */
function noLaterThan(now: Date, time: Date | null): Date | null {
  return time === null || time <= now ? time : now;
}

const nothingOf: CurrentScan = { searched: [], findings: [], outdated: 0 };

type Changed = Pick<ScanResult, 'findings' | 'note'> & Pick<AppliedScan, 'outdated' | 'added'>;

async function changeFindings(
  step: Landing<never>['step'],
  project: ProjectKey,
  scan: Scan,
  current: CurrentScan,
  now: Date,
): Promise<Changed> {
  const { searched, outdated } = current;
  const reported = await distinctFindings(current.findings);
  const known = await loadKnownFindings(step, project, scan);
  const changes = await scanChanges(known, reported, { ...scan, ...current }, now);
  const added = changes.added.length;
  await step((tx) => requireRoomForFindings(tx, project.organisationId, { added, isWritten: false }));
  await writeScanChanges(step, project, scan, changes, now);
  const { total, unchanged } = changes.counts;
  const isOutdated = !isBlind(scan) && searched.length === 0 && outdated === scan.findings.length;
  return {
    findings: { ...changes.counts, total: total + outdated, unchanged: unchanged + outdated },
    note: isOutdated ? outdatedNote : noteOf(scan, current, changes),
    outdated: isOutdated,
    added,
  };
}

const outdatedNote = 'nothing was changed: a newer report of the same search was uploaded before';

/** What a reader of the counts must know to understand them. */
function noteOf(scan: Scan, current: CurrentScan, { kept, below }: ScanChanges): string | null {
  if (current.outdated > 0)
    return `${current.outdated} findings were left as they are: a newer report of their search was uploaded before`;
  if (isBlind(scan)) return 'nothing was fixed: the report does not say what it covered';
  const notes = [
    ...(kept > below
      ? [
          `${kept - below} open findings that are not in the report were not fixed: it does not say that it covered them`,
        ]
      : []),
    ...(below > 0
      ? [
          `${below} open findings that are not in the report were not fixed: they are less severe than all that it shows, or have no fix where all of it has one, so a filter of the scanner may have left them out. Scan without a filter${scan.domain === 'containers' ? '; if there was none, upload the report again with complete=true' : ''}`,
        ]
      : []),
  ];
  return notes.length === 0 ? null : notes.join('; ');
}

/** Whether the report shows nothing that it has searched to the end. */
function isBlind({ searched }: Scan): boolean {
  return searched.every(({ parts }) => parts?.length === 0);
}

async function nothingChanged({ findings }: Scan): Promise<ScanResult['findings']> {
  const reported = await distinctFindings(findings);
  const suppressed = reported.filter(({ seers }) => seers.every((seer) => seer.suppressed)).length;
  const total = reported.length;
  return { total, new: 0, reopened: 0, fixed: 0, unchanged: total - suppressed, suppressed };
}
